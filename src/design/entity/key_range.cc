#include "entity/key_range.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/try.h"
#include "entity/item_values.h"

namespace stator::entity {
namespace {

using model::Comparison;

// Sorts behind every text.
constexpr std::string_view kHighest = "\xF4\x8F\xBF\xBF";

class Binder {
 public:
  Binder(const ReadPlace& place, const Bindings& bindings) : place_(place), bindings_(bindings) {}

  EntityResult<std::vector<KeyCondition>> Bind() {
    RETURN_IF_ERROR(CollectEqualities());
    for (const model::KeyAttribute* key : place_.Partition()) {
      ASSIGN_OR_RETURN(AttributeValue value, PartitionValue(*key));
      conditions_.push_back({key->name, Comparison::kEqual, {std::move(value)}});
    }
    for (const model::KeyAttribute* key : place_.Sort()) {
      ASSIGN_OR_RETURN(const bool is_whole, BindSort(*key));
      if (!is_whole) break;
    }
    return std::move(conditions_);
  }

  EntityResult<std::optional<std::int64_t>> Shard() {
    RETURN_IF_ERROR(CollectEqualities());
    if (!equal_.Find(place_.index->shards->by)) return std::nullopt;
    return model::ShardOf(*place_.index, equal_.view());
  }

 private:
  EntityResult<AttributeValue> Value(const model::Term& term, std::size_t operand) const {
    static const model::Attribute kUnknown;
    const model::Attribute* attribute = place_.entity.FindAttribute(term.attribute);
    const auto value =
        model::OperandValue(term.operands[operand], attribute == nullptr ? kUnknown : *attribute,
                            bindings_.now, bindings_.parameters);
    if (!value) {
      return Invalid(fmt::format("pattern `{}` needs the parameter ${}", place_.pattern.name,
                                 term.operands[operand].text));
    }
    return attribute == nullptr ? *value : NormalizedValue(*attribute, *value);
  }

  EntityResult<void> CollectEqualities() {
    for (const model::Term& term : place_.pattern.read.where) {
      if (term.comparison != Comparison::kEqual) continue;
      ASSIGN_OR_RETURN(const AttributeValue value, Value(term, 0));
      equal_.Set(term.attribute, value);
    }
    if (bindings_.foreach_value) {
      equal_.Set(bindings_.foreach_value->first, bindings_.foreach_value->second);
    }
    return {};
  }

  EntityResult<AttributeValue> PartitionValue(const model::KeyAttribute& key) const {
    if (const auto given = equal_.Find(key.name)) return AttributeValue::FromView(*given);
    const model::KeyTemplate* made = place_.entity.FindKey(key.name);
    if (made != nullptr && made->IsDerived()) {
      const auto text = model::RenderTemplate(place_.entity, *made, equal_.view(), bindings_.shard);
      if (!text) return Invalid(fmt::format("{}: {}", place_.pattern.name, text.error()));
      if (*text) return model::KeyValue(key.type, **text);
    }
    return Invalid(fmt::format("pattern `{}` does not say what `{}` is", place_.pattern.name,
                               made == nullptr ? key.name : made->text));
  }

  // The terms that bound the attribute, other than by equality.
  std::vector<const model::Term*> RangeTerms(std::string_view attribute) const {
    std::vector<const model::Term*> terms;
    for (const model::Term& term : place_.pattern.read.where) {
      if (term.attribute == attribute && term.comparison != Comparison::kEqual) {
        terms.push_back(&term);
      }
    }
    return terms;
  }

  // True if the attribute is bound to one value, so that the next one may be bound too.
  EntityResult<bool> BindSort(const model::KeyAttribute& key) {
    if (const auto given = equal_.Find(key.name)) {
      conditions_.push_back({key.name, Comparison::kEqual, {AttributeValue::FromView(*given)}});
      return true;
    }
    if (const auto terms = RangeTerms(key.name); !terms.empty()) {
      RETURN_IF_ERROR(BindOwnRange(key, terms));
      return false;
    }
    const model::KeyTemplate* made = place_.entity.FindKey(key.name);
    if (made == nullptr || !made->IsDerived()) return false;
    // Entities that the pattern names together lie side by side: what their sort keys have in common
    // takes all of them, and what only one of them has would leave out the others.
    const std::size_t common =
        place_.pattern.entities.empty() ? made->parts.size() : CommonParts(key, *made);
    if (common < made->parts.size()) return BindBeginning(key, *made, common);
    return BindTemplate(key, *made);
  }

  // A range on the key attribute itself: as it is, or both ends as one BETWEEN.
  EntityResult<void> BindOwnRange(const model::KeyAttribute& key,
                                  const std::vector<const model::Term*>& terms) {
    std::vector<std::vector<AttributeValue>> values;
    for (const model::Term* term : terms) {
      std::vector<AttributeValue>& of_term = values.emplace_back();
      for (std::size_t i = 0; i < term->operands.size(); ++i) {
        ASSIGN_OR_RETURN(AttributeValue value, Value(*term, i));
        of_term.push_back(std::move(value));
      }
    }
    const auto is_lower = [&](std::size_t i) {
      return terms[i]->comparison == Comparison::kGreater ||
             terms[i]->comparison == Comparison::kGreaterOrEqual;
    };
    if (terms.size() == 2 && is_lower(0) != is_lower(1)) {
      const std::size_t low = is_lower(0) ? 0 : 1;
      conditions_.push_back(
          {key.name, Comparison::kBetween, {values[low].front(), values[1 - low].front()}});
    } else {
      conditions_.push_back({key.name, terms.front()->comparison, std::move(values.front())});
    }
    return {};
  }

  EntityResult<std::string> PartText(const model::TemplatePart& part, ValueView value) const {
    model::KeyTemplate alone;
    alone.parts.push_back(part);
    Item item;
    item.Set(part.text, AttributeValue::FromView(value));
    const auto text = model::RenderTemplate(place_.entity, alone, item.view(), bindings_.shard);
    if (!text) return Invalid(fmt::format("{}: {}", place_.pattern.name, text.error()));
    return **text;
  }

  EntityResult<bool> BindTemplate(const model::KeyAttribute& key, const model::KeyTemplate& made) {
    ASSIGN_OR_RETURN(const auto start, BindParts(key, made, made.parts.size()));
    if (!start) return false;
    conditions_.push_back({key.name, Comparison::kEqual, {model::KeyValue(key.type, *start)}});
    return true;
  }

  // The template's first parts alone; anything may follow them.
  EntityResult<bool> BindBeginning(const model::KeyAttribute& key, const model::KeyTemplate& made,
                                   std::size_t count) {
    ASSIGN_OR_RETURN(const auto start, BindParts(key, made, count));
    if (start && !start->empty()) AddText(key, Comparison::kBeginsWith, {*start});
    return false;
  }

  // The text of the first parts if all of them have one value. Otherwise nullopt, and the first that
  // has not is bound as a range.
  EntityResult<std::optional<std::string>> BindParts(const model::KeyAttribute& key,
                                                     const model::KeyTemplate& made,
                                                     std::size_t count) {
    std::string start;
    for (std::size_t i = 0; i < count; ++i) {
      const model::TemplatePart& part = made.parts[i];
      if (!part.is_placeholder) {
        start += part.text;
        continue;
      }
      if (const auto value = equal_.Find(part.text)) {
        ASSIGN_OR_RETURN(const std::string text, PartText(part, *value));
        start += text;
        continue;
      }
      const bool more_follows = i + 1 < made.parts.size();
      RETURN_IF_ERROR(BindRange(key, start, part, more_follows));
      return std::nullopt;
    }
    return start;
  }

  // How many parts at their beginning the templates of all entities share.
  std::size_t CommonParts(const model::KeyAttribute& key, const model::KeyTemplate& made) const {
    std::size_t common = made.parts.size();
    for (const model::Entity* other : place_.others) {
      const model::KeyTemplate* theirs = other->FindKey(key.name);
      if (theirs == nullptr) return 0;
      if (theirs->text == made.text) continue;
      const auto same = [](const model::TemplatePart& a, const model::TemplatePart& b) {
        return a.is_placeholder == b.is_placeholder && a.text == b.text && a.format == b.format &&
               a.padded_digits == b.padded_digits;
      };
      const auto differ = std::ranges::mismatch(made.parts, theirs->parts, same);
      // Where one template ends and the other goes on, what follows differs too.
      common = std::min({common, static_cast<std::size_t>(differ.in1 - made.parts.begin()),
                         made.parts.size() - 1});
    }
    return common;
  }

  EntityResult<void> BindRange(const model::KeyAttribute& key, const std::string& start,
                               const model::TemplatePart& part, bool more_follows) {
    std::optional<std::string> low;
    std::optional<std::string> high;
    for (const model::Term* term : RangeTerms(part.text)) {
      std::vector<std::string> texts;
      for (std::size_t i = 0; i < term->operands.size(); ++i) {
        ASSIGN_OR_RETURN(const AttributeValue value, Value(*term, i));
        ASSIGN_OR_RETURN(const std::string text, PartText(part, value.view()));
        texts.push_back(start + text);
      }
      const std::string past(more_follows ? kHighest : "");
      switch (term->comparison) {
        case Comparison::kGreaterOrEqual:
          low = texts[0];
          break;
        case Comparison::kGreater:
          low = texts[0] + past;
          break;
        case Comparison::kLess:
          high = texts[0];
          break;
        case Comparison::kLessOrEqual:
          high = texts[0] + past;
          break;
        case Comparison::kBetween:
          low = texts[0];
          high = texts[1] + past;
          break;
        case Comparison::kBeginsWith:
          AddText(key, Comparison::kBeginsWith, {texts[0]});
          return {};
        default:
          break;
      }
    }
    AddBounds(key, start, low, high);
    return {};
  }

  void AddBounds(const model::KeyAttribute& key, const std::string& start,
                 const std::optional<std::string>& low, const std::optional<std::string>& high) {
    if (!low && !high) {
      if (!start.empty()) AddText(key, Comparison::kBeginsWith, {start});
    } else if (start.empty() && low && !high) {
      AddText(key, Comparison::kGreaterOrEqual, {*low});
    } else if (start.empty() && high && !low) {
      AddText(key, Comparison::kLessOrEqual, {*high});
    } else {
      const std::string from = low.value_or(start);
      // DynamoDB refuses a range that holds nothing, but the caller did nothing wrong.
      AddText(key, Comparison::kBetween,
              {from, std::max(from, high.value_or(start + std::string(kHighest)))});
    }
  }

  void AddText(const model::KeyAttribute& key, Comparison comparison,
               const std::vector<std::string>& texts) {
    KeyCondition condition{key.name, comparison, {}};
    for (const std::string& text : texts) {
      condition.values.push_back(model::KeyValue(key.type, text));
    }
    conditions_.push_back(std::move(condition));
  }

  const ReadPlace& place_;
  const Bindings& bindings_;
  Item equal_;  // attributes, sources or keys, that have one value
  std::vector<KeyCondition> conditions_;
};

bool IsKnown(const model::Entity& entity, std::string_view attribute) {
  return entity.FindAttribute(attribute) != nullptr || entity.FindKey(attribute) != nullptr;
}

// The entities that a pattern is about: those it names, one that its terms name, or those that
// have all of its terms' attributes and the keys of its index.
std::vector<const model::Entity*> EntitiesOfPattern(const model::Model& model,
                                                    const model::Pattern& pattern,
                                                    const model::Table& table,
                                                    const model::Index* index) {
  const auto named = [&](const std::string& name) -> std::vector<const model::Entity*> {
    const model::Entity* entity = model.FindEntity(name);
    if (entity == nullptr) return {};
    return {entity};
  };
  if (!pattern.entities.empty()) {
    std::vector<const model::Entity*> several;
    for (const std::string& name : pattern.entities) {
      if (const model::Entity* entity = model.FindEntity(name)) several.push_back(entity);
    }
    return several;
  }
  if (!pattern.entity.empty()) return named(pattern.entity);
  for (const model::Term& term : pattern.read.where) {
    if (!term.entity.empty()) return named(term.entity);
  }
  std::vector<const model::Entity*> fitting;
  for (const model::Entity* entity : model.EntitiesOf(table)) {
    const bool has_terms = std::ranges::all_of(pattern.read.where, [&](const model::Term& term) {
      return IsKnown(*entity, term.attribute);
    });
    const bool has_keys =
        index == nullptr || std::ranges::all_of(index->partition, [&](const auto& key) {
          return IsKnown(*entity, key.name);
        });
    if (has_terms && has_keys) fitting.push_back(entity);
  }
  return fitting;
}

}  // namespace

std::vector<const model::KeyAttribute*> ReadPlace::Partition() const {
  if (index == nullptr) return {&*table.partition};
  std::vector<const model::KeyAttribute*> keys;
  for (const model::KeyAttribute& key : index->partition) keys.push_back(&key);
  return keys;
}

std::vector<const model::KeyAttribute*> ReadPlace::Sort() const {
  std::vector<const model::KeyAttribute*> keys;
  if (index == nullptr) {
    if (table.sort) keys.push_back(&*table.sort);
    return keys;
  }
  for (const model::KeyAttribute& key : index->sort) keys.push_back(&key);
  return keys;
}

bool ReadPlace::IsKey(std::string_view attribute) const {
  const auto named = [&](const model::KeyAttribute* key) { return key->name == attribute; };
  return std::ranges::any_of(Partition(), named) || std::ranges::any_of(Sort(), named);
}

EntityResult<ReadPlace> FindReadPlace(const Context& context, std::string_view name) {
  const model::Model& model = context.model();
  const model::Pattern* pattern = model.FindPattern(name);
  if (pattern == nullptr) return Invalid(fmt::format("the model has no pattern `{}`", name));
  if (pattern->kind == model::PatternKind::kWrite ||
      pattern->kind == model::PatternKind::kTransaction) {
    return Invalid(fmt::format("pattern `{}` writes: use Create, Update, Move …", name));
  }
  if (pattern->kind == model::PatternKind::kGet) {
    ASSIGN_OR_RETURN(const Home home, context.FindHome(pattern->entity));
    return ReadPlace{*pattern, home.table, nullptr, home.entity};
  }
  const model::Table* table = model.FindTable(pattern->read.table);
  if (table == nullptr || !table->partition) {
    return Invalid(fmt::format("pattern `{}` reads a table without a key", name));
  }
  const model::Index* index =
      pattern->read.index.empty() ? nullptr : table->FindIndex(pattern->read.index);
  const auto entities = EntitiesOfPattern(model, *pattern, *table, index);
  if (entities.empty()) {
    return Invalid(fmt::format("pattern `{}` does not say which entity it reads: add `of:`", name));
  }
  return ReadPlace{
      *pattern, *table, index, *entities.front(), {entities.begin() + 1, entities.end()}};
}

EntityResult<std::vector<KeyCondition>> BindKey(const ReadPlace& place, const Bindings& bindings) {
  return Binder(place, bindings).Bind();
}

EntityResult<std::optional<std::int64_t>> BoundShard(const ReadPlace& place,
                                                     const Bindings& bindings) {
  return Binder(place, bindings).Shard();
}

std::string KeyConditionText(const std::vector<KeyCondition>& conditions, ExpressionText& text) {
  std::string all;
  for (const KeyCondition& condition : conditions) {
    const std::string name = text.Name(condition.attribute);
    const auto value = [&](std::size_t i) { return text.Value(condition.values[i]); };
    switch (condition.comparison) {
      case Comparison::kBetween:
        AndAlso(all, fmt::format("{} BETWEEN {} AND {}", name, value(0), value(1)));
        break;
      case Comparison::kBeginsWith:
        AndAlso(all, fmt::format("begins_with({}, {})", name, value(0)));
        break;
      default:
        AndAlso(all, fmt::format("{} {} {}", name, model::ComparisonText(condition.comparison),
                                 value(0)));
        break;
    }
  }
  return all;
}

}  // namespace stator::entity
