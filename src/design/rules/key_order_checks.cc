// KY01–KY03, KY07, KY08: does the order of keys mean what their readers think?
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "model/keys/key_shape.h"
#include "model/keys/truth.h"
#include "model/names.h"
#include "model/parse/attribute_text.h"
#include "rules/checks.h"
#include "rules/entity_keys.h"

namespace stator::model {
namespace {

int DigitsOf(double value) {
  return static_cast<int>(fmt::format("{:.0f}", std::floor(std::abs(value))).size());
}

// The digits of the greatest value, if the model says enough.
std::optional<int> DigitsOf(const Attribute& attribute) {
  if (attribute.range) {
    return DigitsOf(attribute.range->second);
  }
  if (attribute.unit == Unit::kEpochSeconds) return 10;
  if (attribute.unit == Unit::kEpochMilliseconds) return 13;
  return std::nullopt;
}

// Every value of the range has the same number of digits.
bool HasConstantDigits(const Attribute& attribute) {
  if (!attribute.range || attribute.range->first < 1) return false;
  return DigitsOf(attribute.range->first) == DigitsOf(attribute.range->second);
}

void CheckWidth(const KeyUse& use, const TemplatePart& part, const Attribute& attribute,
                Findings& findings) {
  const std::optional<int> digits = DigitsOf(attribute);
  if (attribute.range && attribute.range->first < 0) {
    findings.Add(use.Target(), use.place(),
                 fmt::format("{} can be negative, and no padding orders negative numbers as text",
                             attribute.name),
                 "refuse negative values, or add an offset before it goes into the key");
  } else if (part.padded_digits == 0 && !HasConstantDigits(attribute)) {
    findings.Add(use.Target(), use.place(),
                 fmt::format("{} = {} orders the number {} as text: 999 comes after 1000",
                             use.key->name, use.made.text, attribute.name),
                 fmt::format("{{{}:0{}d}}", attribute.name, digits.value_or(10)));
  } else if (part.padded_digits > 0 && digits && part.padded_digits < *digits) {
    findings.Add(
        use.Target(), use.place(),
        fmt::format("{} has up to {} digits, and its place in {} = {} only {}", attribute.name,
                    *digits, use.key->name, use.made.text, part.padded_digits),
        fmt::format("{{{}:0{}d}}", attribute.name, *digits));
  }
}

// The time that a sort key orders by, with the text before it.
struct TimePosition {
  std::string before;
  const Attribute* attribute = nullptr;
};

std::optional<TimePosition> FirstTime(const KeyUse& use) {
  std::string before;
  for (const TemplatePart& part : use.made.parts) {
    if (!part.is_placeholder) {
      before += part.text;
      continue;
    }
    const Attribute* attribute = use.entity->FindAttribute(part.text);
    if (attribute == nullptr || !IsTime(attribute->unit)) return std::nullopt;
    return TimePosition{before, attribute};
  }
  return std::nullopt;
}

bool SharePartition(const KeyUse& a, const KeyUse& b) {
  return std::ranges::all_of(a.schema.partition, [&](const KeyAttribute* key) {
    const KeyTemplate left = BaseTemplateFor(*a.entity, key->name);
    const KeyTemplate right = BaseTemplateFor(*b.entity, key->name);
    return StartsAgree(left.Prefix(), right.Prefix()) &&
           CommonText(ShapeOf(*a.entity, left), ShapeOf(*b.entity, right)).has_value();
  });
}

void CheckMixedUnits(const std::vector<KeyUse>& uses, Findings& findings) {
  for (std::size_t i = 0; i < uses.size(); ++i) {
    const auto mine = uses[i].sort ? FirstTime(uses[i]) : std::nullopt;
    if (!mine) continue;
    for (std::size_t j = i + 1; j < uses.size(); ++j) {
      if (uses[j].schema.table != uses[i].schema.table ||
          uses[j].schema.index != uses[i].schema.index || uses[j].key != uses[i].key) {
        continue;
      }
      const auto other = FirstTime(uses[j]);
      if (!other || other->before != mine->before) continue;
      if (other->attribute->unit == mine->attribute->unit) continue;
      if (!SharePartition(uses[i], uses[j])) continue;
      findings.Add(
          uses[j].Target(), uses[j].place(),
          fmt::format("{} orders by {} ({}) for {} and by {} ({}) for {}: they do not sort "
                      "together",
                      uses[j].key->name, mine->attribute->name, WordOfUnit(mine->attribute->unit),
                      uses[i].entity->name, other->attribute->name,
                      WordOfUnit(other->attribute->unit), uses[j].entity->name),
          "write both times in one format");
    }
  }
}

// The text with which a condition spells the start of a key: `sk begins_with 'OPEN#'`.
std::string_view SpelledStart(const ReadDetail& read, std::string_view key) {
  for (const Term& term : read.where) {
    const bool starts =
        term.comparison == Comparison::kBeginsWith || term.comparison == Comparison::kEqual;
    if (term.attribute != key || !starts || term.operands.empty()) continue;
    if (term.operands[0].kind == Operand::Kind::kText) return term.operands[0].text;
  }
  return {};
}

// How many parts of the template the text covers, including the one in which it ends.
std::size_t SpelledParts(const KeyTemplate& made, std::string_view text) {
  std::size_t count = 0;
  while (!text.empty() && count < made.parts.size()) {
    const TemplatePart& part = made.parts[count++];
    std::size_t length = part.text.size();
    if (part.is_placeholder) {
      const bool ends = count < made.parts.size() && !made.parts[count].is_placeholder;
      length = ends ? text.find(made.parts[count].text) : std::string_view::npos;
    }
    text.remove_prefix(std::min(length, text.size()));
  }
  return count;
}

// The first part of the key that the read leaves open, if that is an enum.
const Attribute* RangedEnum(const Plan& plan, const Entity& entity, const KeyTemplate& made,
                            std::string_view key) {
  const ReadDetail& read = plan.pattern->read;
  for (std::size_t i = SpelledParts(made, SpelledStart(read, key)); i < made.parts.size(); ++i) {
    const TemplatePart& part = made.parts[i];
    if (!part.is_placeholder) continue;
    if (read.foreach_attribute == part.text || Binds(read.where, part.text)) continue;
    const Attribute* attribute = entity.FindAttribute(part.text);
    return attribute != nullptr && !attribute->values.empty() ? attribute : nullptr;
  }
  return nullptr;
}

bool IsDateOnly(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  return std::ranges::all_of(
      text, [](char c) { return c == '-' || std::isdigit(static_cast<unsigned char>(c)) != 0; });
}

// The unit of the time that `name` orders by: of the attribute itself, or of the first one in the
// key.
Unit TimeUnitOf(const Entity& entity, const std::string& name) {
  if (const Attribute* attribute = entity.FindAttribute(name)) {
    if (attribute->unit != Unit::kNone) return attribute->unit;
  }
  const KeyTemplate* made = entity.FindKey(name);
  if (made == nullptr || made->parts.empty() || !made->parts.front().is_placeholder) {
    return Unit::kNone;
  }
  const Attribute* first = entity.FindAttribute(made->parts.front().text);
  return first == nullptr ? Unit::kNone : first->unit;
}

}  // namespace

void CheckNumberWidth(const Subject& subject, Findings& findings) {
  for (const KeyUse& use : DistinctKeyUses(subject.model)) {
    if (!use.sort || use.key->type != Type::kS || use.made.IsPlain()) continue;
    for (const TemplatePart& part : use.made.parts) {
      const Attribute* attribute =
          part.is_placeholder ? use.entity->FindAttribute(part.text) : nullptr;
      if (attribute == nullptr || attribute->type != Type::kN) continue;
      CheckWidth(use, part, *attribute, findings);
    }
  }
}

void CheckNumberAsText(const Subject& subject, Findings& findings) {
  for (const KeyUse& use : DistinctKeyUses(subject.model)) {
    if (!use.sort || use.key->type != Type::kS || !use.made.IsPlain()) continue;
    const Attribute* attribute = use.entity->FindAttribute(use.made.parts.front().text);
    if (attribute == nullptr || attribute->type != Type::kN) continue;
    findings.Add(
        use.Target(), use.key->place.line > 0 ? use.key->place : use.place(),
        fmt::format("the sort key {} of {} is text, and {} is a number: \"999\" > \"1000\"",
                    use.key->name, use.schema.Name(), attribute->name),
        fmt::format("declare {} num", use.key->name));
  }
}

void CheckTimeFormats(const Subject& subject, Findings& findings) {
  const std::vector<KeyUse> uses = KeyUses(subject.model);
  std::set<std::string> told;
  for (const KeyUse& use : uses) {
    if (!use.sort) continue;
    for (const TemplatePart& part : use.made.parts) {
      const Attribute* attribute =
          part.is_placeholder ? use.entity->FindAttribute(part.text) : nullptr;
      if (attribute == nullptr || attribute->unit != Unit::kIsoTime) continue;
      if (!part.format.empty() && part.format != "iso") continue;
      if (!told.insert(use.Target()).second) continue;
      findings.Add(
          use.Target(), use.place(),
          fmt::format("{} orders by {}, whose width and zone vary: …00.500Z sorts before "
                      "…00Z",
                      use.key->name, attribute->name),
          fmt::format("declare {} iso_s or iso_ms: one width, always UTC", attribute->name));
    }
  }
  CheckMixedUnits(uses, findings);
}

void CheckEnumOrder(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    const ReadDetail& read = plan.pattern->read;
    if (plan.operation != Operation::kQuery || plan.entity == nullptr) continue;
    if (!read.order_stated && !read.limit) continue;
    const KeySchema schema = SchemaOf(*plan.table, plan.index);
    for (const KeyAttribute* key : schema.sort) {
      const KeyTemplate made = BaseTemplateFor(*plan.entity, key->name);
      const Attribute* attribute = RangedEnum(plan, *plan.entity, made, key->name);
      if (attribute == nullptr || std::ranges::is_sorted(attribute->values)) continue;
      if (plan.entity->machine && plan.entity->machine->attribute == attribute->name) continue;
      std::vector<std::string> sorted = attribute->values;
      std::ranges::sort(sorted);
      findings.Add(plan.pattern->name, plan.pattern->place,
                   fmt::format("{} orders by {} as text: {}, not {}", plan.pattern->name,
                               attribute->name, List(sorted), List(attribute->values)),
                   "write a rank into the key (1, 2, 3), or ask for each value in turn");
      break;
    }
  }
}

void CheckDateBounds(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.operation != Operation::kQuery) continue;
    const Entity* entity =
        plan.entity != nullptr || plan.present.empty() ? plan.entity : plan.present.front();
    if (entity == nullptr) continue;
    for (const Term& term : plan.pattern->read.where) {
      const bool upper =
          term.comparison == Comparison::kBetween || term.comparison == Comparison::kLessOrEqual;
      if (!upper || term.operands.empty()) continue;
      const Operand& bound = term.operands.back();
      const bool date_only = bound.kind == Operand::Kind::kParameter ? bound.declared_type == "date"
                                                                     : IsDateOnly(bound.text);
      const Unit unit = TimeUnitOf(*entity, term.attribute);
      const bool finer =
          unit == Unit::kIsoSeconds || unit == Unit::kIsoMilliseconds || unit == Unit::kIsoTime;
      if (!date_only || !finer) continue;
      findings.Add(plan.pattern->name, PlaceOf(term, plan),
                   fmt::format("`{}` ends at the start of {}: every time of that day is greater",
                               TermText(term), OperandText(bound)),
                   "end with the next day, exclusive (`< 2024-02-01`), or with T23:59:59Z");
    }
  }
}

}  // namespace stator::model
