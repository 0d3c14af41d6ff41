// KY04–KY06, KY12, KY14: can the text of a key be told apart from others?
#include <fmt/format.h>

#include <algorithm>

#include "model/keys/key_shape.h"
#include "model/names.h"
#include "rules/checks.h"
#include "rules/entity_keys.h"

namespace stator::model {
namespace {

constexpr double kMaxPartitionKeyBytes = 2048;
constexpr double kMaxSortKeyBytes = 1024;

// ---- KY04

bool MayContain(const Bytes& bytes, std::string_view text) {
  return std::ranges::all_of(text,
                             [&](char c) { return bytes.test(static_cast<unsigned char>(c)); });
}

// Whether the parts from `from` on have a fixed width, so that the key can be split from its end.
// Words of an enum do not count: that they have the same length is chance.
bool EndIsFixed(const KeyUse& use, std::size_t from) {
  const std::vector<TemplatePart>& parts = use.made.parts;
  for (std::size_t i = from; i < parts.size(); ++i) {
    if (!parts[i].is_placeholder) continue;
    const Attribute* attribute = use.entity->FindAttribute(parts[i].text);
    if (!HasFixedWidth(attribute, parts[i])) return false;
    if (attribute != nullptr && !attribute->values.empty()) return false;
  }
  return true;
}

void CheckPair(const KeyUse& use, std::size_t at, Findings& findings) {
  const std::vector<TemplatePart>& parts = use.made.parts;
  const TemplatePart& part = parts[at];
  const Attribute* attribute = use.entity->FindAttribute(part.text);
  if (parts[at + 1].is_placeholder) {
    if (HasFixedWidth(attribute, part)) return;
    findings.Add(use.Target(), use.place(),
                 fmt::format("nothing separates {} from {} in {} = {}: ab+c and a+bc are one key",
                             part.text, parts[at + 1].text, use.key->name, use.made.text),
                 fmt::format("{{{}}}#{{{}}}", part.text, parts[at + 1].text));
    return;
  }
  const bool more = at + 2 < parts.size();
  if (!more || HasFixedWidth(attribute, part)) return;
  // No query asks for the start of a partition key.
  if (!use.sort && EndIsFixed(use, at + 1)) return;
  if (attribute != nullptr && !attribute->values.empty()) {
    const bool clean = std::ranges::none_of(attribute->values, [&](const std::string& value) {
      return value.find(parts[at + 1].text) != std::string::npos;
    });
    if (clean) return;
  } else if (!MayContain(BytesOf(attribute, part), parts[at + 1].text)) {
    return;
  }
  findings.Add(use.Target(), use.place(),
               fmt::format("{} may contain `{}`, which ends it in {} = {}", part.text,
                           parts[at + 1].text, use.key->name, use.made.text),
               fmt::format("{}: str no={}", part.text, parts[at + 1].text.substr(0, 1)));
}

// ---- KY05

const Attribute* OnlySource(const Entity& entity, const TemplatePart& part) {
  return part.is_placeholder ? entity.FindAttribute(part.text) : nullptr;
}

// True if both placeholders stand for the same thing: by name, or as references to one entity.
bool SameMeaning(const Entity& a, const TemplatePart& left, const Entity& b,
                 const TemplatePart& right) {
  if (left.text == right.text) return true;
  const Attribute* x = OnlySource(a, left);
  const Attribute* y = OnlySource(b, right);
  if (x == nullptr || y == nullptr) return false;
  if (!x->refers_to.empty() && (x->refers_to == y->refers_to || x->refers_to == b.name)) {
    return true;
  }
  return !y->refers_to.empty() && y->refers_to == a.name;
}

// Whether both templates say the same: then the items lie together on purpose.
bool IsShared(const Entity& a, const KeyTemplate& left, const Entity& b, const KeyTemplate& right) {
  return std::ranges::equal(left.parts, right.parts,
                            [&](const TemplatePart& x, const TemplatePart& y) {
                              if (x.is_placeholder != y.is_placeholder) return false;
                              return x.is_placeholder ? SameMeaning(a, x, b, y) : x.text == y.text;
                            });
}

std::optional<std::string> Meeting(const Entity& a, const Entity& b,
                                   const std::vector<const KeyAttribute*>& keys) {
  std::string texts;
  for (const KeyAttribute* key : keys) {
    const KeyTemplate left = BaseTemplateFor(a, key->name);
    const KeyTemplate right = BaseTemplateFor(b, key->name);
    if (!StartsAgree(left.Prefix(), right.Prefix())) return std::nullopt;
    if (key->type == Type::kN) {
      texts += (texts.empty() ? "" : ", ") + key->name + " = 1";
      continue;
    }
    const auto common = CommonText(ShapeOf(a, left), ShapeOf(b, right));
    if (!common) return std::nullopt;
    texts += fmt::format("{}{} = \"{}\"", texts.empty() ? "" : ", ", key->name, *common);
  }
  return texts;
}

bool SharesAll(const Entity& a, const Entity& b, const std::vector<const KeyAttribute*>& keys) {
  return std::ranges::all_of(keys, [&](const KeyAttribute* key) {
    return IsShared(a, BaseTemplateFor(a, key->name), b, BaseTemplateFor(b, key->name));
  });
}

// Whether two values can be the same thing: a name and a name, not a name and a word of a list.
bool SameSort(const Attribute* a, const Attribute* b) {
  if (a == nullptr || b == nullptr) return true;
  return a->type == b->type && a->unit == b->unit && a->values == b->values;
}

// ACCOUNT#{name} and ACCOUNT#{owner}: the same text around values of the same sort.
bool HaveOneForm(const Entity& a, const Entity& b, const std::vector<const KeyAttribute*>& keys) {
  return std::ranges::all_of(keys, [&](const KeyAttribute* key) {
    return std::ranges::equal(
        BaseTemplateFor(a, key->name).parts, BaseTemplateFor(b, key->name).parts,
        [&](const TemplatePart& x, const TemplatePart& y) {
          if (x.is_placeholder != y.is_placeholder) return false;
          if (!x.is_placeholder) return x.text == y.text;
          return x.format == y.format && SameSort(OnlySource(a, x), OnlySource(b, y));
        });
  });
}

// An account and its repositories in one partition, side by side in the order of their sort keys:
// a read of one of them asks for the start of its sort key and never meets the other.
bool IsCollection(const KeySchema& schema, const Entity& a, const Entity& b) {
  return !schema.sort.empty() && HaveOneForm(a, b, schema.partition) &&
         !Meeting(a, b, schema.sort).has_value();
}

// Whether a pattern puts the entity's items over whatever has the same key.
bool PutsOverAnything(const Model& model, const Entity& entity) {
  return std::ranges::any_of(model.patterns, [&](const Pattern& pattern) {
    if (pattern.kind != PatternKind::kWrite || pattern.entity != entity.name) return false;
    const WriteDetail& write = pattern.write;
    if (write.kind != WriteKind::kPut && write.kind != WriteKind::kCreate) return false;
    if (std::ranges::any_of(pattern.code,
                            [](const Code& code) { return !code.condition.empty(); })) {
      return false;
    }
    return write.guard == Guard::kNone || write.guard == Guard::kExists ||
           (write.guard == Guard::kUnsaid && write.kind == WriteKind::kPut);
  });
}

// What happens to two items of the table that have the same key.
std::string Clash(const Model& model, const Entity& a, const Entity& b) {
  const bool first = PutsOverAnything(model, a);
  const bool second = PutsOverAnything(model, b);
  if (first && second)
    return fmt::format("{} and {} can have the same key and overwrite each other", a.name, b.name);
  if (!first && !second) {
    return fmt::format("{} and {} can have the same key: where one is, the other cannot be", a.name,
                       b.name);
  }
  return fmt::format("{} and {} can have the same key, and {} overwrites the other", a.name, b.name,
                     first ? a.name : b.name);
}

void CheckCollision(const Model& model, const KeySchema& schema, const Entity& a, const Entity& b,
                    Findings& findings) {
  std::vector<const KeyAttribute*> keys = schema.partition;
  if (schema.index == nullptr) keys.insert(keys.end(), schema.sort.begin(), schema.sort.end());
  // In an index many items may have the same key; there only a partition shared by accident hurts.
  if (schema.index != nullptr &&
      (SharesAll(a, b, schema.partition) || IsCollection(schema, a, b))) {
    return;
  }
  const std::optional<std::string> meeting = Meeting(a, b, keys);
  if (!meeting) return;
  findings
      .Add(schema.Name(), b.place,
           schema.index == nullptr ? fmt::format("{}: {}", Clash(model, a, b), *meeting)
                                   : fmt::format("{} and {} can meet in one partition of {}: {}",
                                                 a.name, b.name, schema.Name(), *meeting),
           fmt::format("open the keys of {} with a text of their own, e.g. {}#", b.name, b.name))
      .parties = {a.name, b.name};
}

// ---- KY06

bool EndsInsideValue(const KeyTemplate& made, const Entity& entity, std::string_view prefix) {
  std::string_view rest = prefix;
  for (std::size_t i = 0; i < made.parts.size(); ++i) {
    const TemplatePart& part = made.parts[i];
    if (!part.is_placeholder) {
      if (rest.size() <= part.text.size() || !rest.starts_with(part.text)) return false;
      rest.remove_prefix(part.text.size());
      continue;
    }
    const bool last = i + 1 == made.parts.size();
    const std::size_t end = last ? std::string_view::npos : rest.find(made.parts[i + 1].text);
    if (end == std::string_view::npos) {
      const Attribute* attribute = entity.FindAttribute(part.text);
      // The start of a time is a period, and the start of the last value is a search.
      return !last && !rest.empty() && !HasFixedWidth(attribute, part) &&
             (attribute == nullptr || attribute->unit != Unit::kIsoTime);
    }
    rest.remove_prefix(end);
  }
  return false;
}

}  // namespace

void CheckSeparators(const Subject& subject, Findings& findings) {
  for (const KeyUse& use : DistinctKeyUses(subject.model)) {
    for (std::size_t i = 0; i + 1 < use.made.parts.size(); ++i) {
      if (use.made.parts[i].is_placeholder) CheckPair(use, i, findings);
    }
  }
}

void CheckCollisions(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    const std::vector<const Entity*> entities = subject.model.EntitiesOf(table);
    for (const KeySchema& schema : SchemasOf(table)) {
      if (schema.partition.empty()) continue;
      for (std::size_t i = 0; i < entities.size(); ++i) {
        if (!Holds(schema, *entities[i])) continue;
        for (std::size_t j = i + 1; j < entities.size(); ++j) {
          if (Holds(schema, *entities[j])) {
            CheckCollision(subject.model, schema, *entities[i], *entities[j], findings);
          }
        }
      }
    }
  }
}

void CheckPrefixes(const Subject& subject, Findings& findings) {
  for (const Plan& plan : subject.plans) {
    if (plan.operation != Operation::kQuery) continue;
    for (const Term& term : plan.pattern->read.where) {
      if (term.comparison != Comparison::kBeginsWith || term.operands.empty()) continue;
      if (term.operands[0].kind != Operand::Kind::kText) continue;
      for (const Entity* entity : plan.present) {
        const KeyTemplate* made = entity->FindKey(term.attribute);
        if (made == nullptr || !EndsInsideValue(*made, *entity, term.operands[0].text)) continue;
        findings.Add(plan.pattern->name, PlaceOf(term, plan),
                     fmt::format("begins_with `{0}` stops inside a value of {1} = {2}: it also "
                                 "finds {0}…",
                                 term.operands[0].text, term.attribute, made->text),
                     fmt::format("end the prefix with the separator: `{}#`, or bind the attributes",
                                 term.operands[0].text));
        break;
      }
    }
  }
}

void CheckKeySize(const Subject& subject, Findings& findings) {
  for (const KeyUse& use : DistinctKeyUses(subject.model)) {
    double bytes = 0;
    for (const TemplatePart& part : use.made.parts) {
      const Attribute* attribute =
          part.is_placeholder ? use.entity->FindAttribute(part.text) : nullptr;
      if (!part.is_placeholder) bytes += static_cast<double>(part.text.size());
      if (attribute != nullptr) bytes += attribute->bytes.max;
    }
    const double most = use.sort ? kMaxSortKeyBytes : kMaxPartitionKeyBytes;
    if (bytes <= most) continue;
    findings.Add(use.Target(), use.place(),
                 fmt::format("{} can be {:.0f} bytes, and a {} key has at most {:.0f}",
                             use.key->name, bytes, use.sort ? "sort" : "partition", most),
                 "put a shorter attribute or a hash into the key");
  }
}

void CheckFreeText(const Subject& subject, Findings& findings) {
  for (const KeyUse& use : DistinctKeyUses(subject.model)) {
    for (const std::string& source : use.made.Sources()) {
      const Attribute* attribute = use.entity->FindAttribute(source);
      if (attribute == nullptr || !attribute->free_text || !attribute->normalizers.empty()) {
        continue;
      }
      findings.Add(use.Target(), use.place(),
                   fmt::format("{} is written by people and goes into {} as it comes: `Dishes`, "
                               "`dishes ` and `dishes` are three keys",
                               source, use.key->name),
                   fmt::format("{}: str norm=nfc|lower|trim", source));
    }
  }
}

}  // namespace stator::model
