// The requests of a read: which keys and filters it has, worked out while the code is written.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "generate/code_plan.h"
#include "generate/table_shape.h"
#include "model/keys/key_access.h"
#include "model/names.h"
#include "model/plan/plan.h"

namespace stator::model {
namespace {

constexpr std::int64_t kPageDefault = 1000;

bool KnowsAttribute(const Entity& entity, std::string_view attribute) {
  return entity.FindAttribute(attribute) != nullptr || entity.FindKey(attribute) != nullptr;
}

// The entities that the pattern names, or those that have all that it asks for.
std::vector<const Entity*> EntitiesOf(const Model& model, const Pattern& pattern,
                                      const Table& table, const Index* index) {
  std::vector<const Entity*> fitting;
  for (const std::string& name : pattern.entities) {
    if (const Entity* entity = model.FindEntity(name)) fitting.push_back(entity);
  }
  if (!fitting.empty()) return fitting;
  std::string named = pattern.entity;
  for (const Term& term : pattern.read.where) {
    if (named.empty()) named = term.entity;
  }
  if (const Entity* entity = model.FindEntity(named)) return {entity};
  for (const Entity* entity : model.EntitiesOf(table)) {
    const bool has_terms = std::ranges::all_of(pattern.read.where, [&](const Term& term) {
      return KnowsAttribute(*entity, term.attribute);
    });
    const bool has_keys =
        index == nullptr || std::ranges::all_of(index->partition, [&](const KeyAttribute& key) {
          return KnowsAttribute(*entity, key.name);
        });
    if (has_terms && has_keys) fitting.push_back(entity);
  }
  return fitting;
}

// Builds the key condition and the filter of one read.
class ReadPlanner {
 public:
  ReadPlanner(const std::vector<Term>& where, CodeRead& read)
      : where_(where), entity_(*read.entities.front()), read_(read) {
    for (const Term& term : where_) {
      if (term.comparison == Comparison::kEqual) {
        equal_[term.attribute] = ValueOf(term, 0);
      }
    }
    const ReadDetail& detail = read.pattern->read;
    if (!detail.foreach_attribute.empty()) {
      equal_[detail.foreach_attribute] = {
          .each = true, .entity = &entity_, .attribute = detail.foreach_attribute};
    }
  }

  void PlanKey() {
    if (read_.index != nullptr && read_.index->shards) {
      const auto by = equal_.find(read_.index->shards->by);
      if (by != equal_.end()) {
        read_.shard_by = by->second;
      } else {
        read_.shards = read_.index->shards->count;
      }
    }
    const auto schema = read_.index == nullptr ? KeySchemaOf(*read_.table)
                                               : KeySchemaOf(*read_.table, *read_.index);
    for (const KeyElement& element : schema) {
      const bool whole =
          element.sorts ? BindSort(element.attribute) : BindPartition(element.attribute);
      if (!whole) break;
    }
  }

  void PlanFilter(bool is_scan) {
    if (read_.pattern->read.filter) AddFilter(Alternatives(read_.pattern->read.filter->any_of));
    for (const Term& term : where_) {
      if (read_.index == nullptr ? IsKeyOf(*read_.table, term.attribute) : IsIndexKey(term)) {
        continue;
      }
      const bool in_key = std::ranges::any_of(entity_.keys, [&](const KeyTemplate& key) {
        return Contains(read_.position, key.attribute) && key.Uses(term.attribute);
      });
      if (!in_key || is_scan) AddFilter(TermCondition(term));
    }
    // DynamoDB refuses a filter on what the index does not hold.
    const bool holds_ttl = read_.index == nullptr ||
                           read_.index->projection.kind == Projection::Kind::kAll ||
                           Contains(read_.index->projection.attributes, entity_.ttl);
    const bool hides = holds_ttl && read_.pattern->read.expired != ReadDetail::Expired::kSee;
    if (hides && !entity_.ttl.empty() && !Contains(read_.position, entity_.ttl)) {
      const std::string name = Name(entity_.ttl);
      read_.values.push_back(
          {.placeholder = NewPlaceholder(), .kind = CodeOperand::Kind::kSeconds});
      AddFilter(fmt::format("(attribute_not_exists({0}) OR {0} > {1})", name,
                            read_.values.back().placeholder));
    }
  }

  void PlanBounds() {
    for (const Term& term : where_) {
      if (term.comparison != Comparison::kEqual) read_.bounds.push_back(term);
    }
  }

 private:
  bool IsIndexKey(const Term& term) const {
    return std::ranges::any_of(
        KeySchemaOf(*read_.table, *read_.index),
        [&](const KeyElement& element) { return element.attribute.name == term.attribute; });
  }

  CodeValue ValueOf(const Term& term, std::size_t operand) const {
    return {.operand = term.operands[operand], .entity = &entity_, .attribute = term.attribute};
  }

  std::string NewPlaceholder() const { return fmt::format(":v{}", read_.values.size()); }

  std::string Name(const std::string& attribute) {
    for (const auto& [placeholder, name] : read_.names) {
      if (name == attribute) return placeholder;
    }
    read_.names.emplace_back(fmt::format("#n{}", read_.names.size()), attribute);
    return read_.names.back().first;
  }

  std::string Value(const CodeValue& value) {
    read_.values.push_back({.placeholder = NewPlaceholder(), .value = value});
    return read_.values.back().placeholder;
  }

  std::string KeyText(const KeyAttribute& key, std::vector<CodePiece> pieces,
                      std::vector<CodePiece> at_least = {}) {
    read_.values.push_back({.placeholder = NewPlaceholder(),
                            .kind = CodeOperand::Kind::kKey,
                            .key_type = key.type,
                            .pieces = std::move(pieces),
                            .at_least = std::move(at_least)});
    return read_.values.back().placeholder;
  }

  void AddKey(const std::string& condition) {
    read_.key_condition += (read_.key_condition.empty() ? "" : " AND ") + condition;
  }
  void AddFilter(const std::string& condition) {
    read_.filter += (read_.filter.empty() ? "" : " AND ") + condition;
  }

  bool BindPartition(const KeyAttribute& key) {
    if (const auto given = equal_.find(key.name); given != equal_.end()) {
      AddKey(fmt::format("{} = {}", Name(key.name), Value(given->second)));
      return true;
    }
    const KeyTemplate* made = entity_.FindKey(key.name);
    std::vector<CodePiece> pieces;
    for (const TemplatePart& part : made == nullptr ? std::vector<TemplatePart>{} : made->parts) {
      std::optional<CodePiece> piece = PieceOf(part);
      if (!piece) {
        read_.obstacle = fmt::format("it does not say what `{}` is", part.text);
        return false;
      }
      pieces.push_back(*std::move(piece));
    }
    if (pieces.empty()) {
      read_.obstacle = fmt::format("it does not say what `{}` is", key.name);
      return false;
    }
    AddKey(fmt::format("{} = {}", Name(key.name), KeyText(key, std::move(pieces))));
    return true;
  }

  // A text of the model that goes into keys as it is.
  bool IsFixedText(const CodeValue& value) const {
    const Attribute* attribute = entity_.FindAttribute(value.attribute);
    return !value.each && value.operand.kind == Operand::Kind::kText && attribute != nullptr &&
           attribute->type == Type::kS && attribute->normalizers.empty();
  }

  // nullopt: the read does not bind the attribute to one value.
  std::optional<CodePiece> PieceOf(const TemplatePart& part) const {
    if (!part.is_placeholder) return CodePiece{.text = part.text};
    if (part.text == kShard) return CodePiece{.kind = CodePiece::Kind::kShardNumber};
    const auto value = equal_.find(part.text);
    if (value == equal_.end()) return std::nullopt;
    if (IsFixedText(value->second) && part.padded_digits == 0) {
      return CodePiece{.text = value->second.operand.text};
    }
    return CodePiece{
        .kind = CodePiece::Kind::kValue, .value = value->second, .digits = part.padded_digits};
  }

  std::vector<const Term*> RangeTerms(std::string_view attribute) const {
    std::vector<const Term*> terms;
    for (const Term& term : where_) {
      if (term.attribute == attribute && term.comparison != Comparison::kEqual) {
        terms.push_back(&term);
      }
    }
    return terms;
  }

  // True if the attribute is bound to one value, so that the next one may be bound too.
  bool BindSort(const KeyAttribute& key) {
    if (const auto given = equal_.find(key.name); given != equal_.end()) {
      AddKey(fmt::format("{} = {}", Name(key.name), Value(given->second)));
      return true;
    }
    if (const auto terms = RangeTerms(key.name); !terms.empty()) {
      BindOwnRange(key, terms);
      return false;
    }
    const KeyTemplate* made = entity_.FindKey(key.name);
    if (made == nullptr || !made->IsDerived()) return false;
    std::vector<CodePiece> start;
    const std::size_t shared = SharedParts(*made);
    for (std::size_t i = 0; i < made->parts.size(); ++i) {
      if (i == shared) {
        AddBounds(key, start, std::nullopt, std::nullopt);
        return false;
      }
      std::optional<CodePiece> piece = PieceOf(made->parts[i]);
      if (piece) {
        start.push_back(*std::move(piece));
        continue;
      }
      BindRange(key, start, made->parts[i], i + 1 < made->parts.size());
      return false;
    }
    AddKey(fmt::format("{} = {}", Name(key.name), KeyText(key, std::move(start))));
    return true;
  }

  // With how many of its parts the key begins for every entity that the read can give.
  std::size_t SharedParts(const KeyTemplate& made) const {
    std::size_t shared = made.parts.size();
    for (const Entity* other : read_.entities) {
      const KeyTemplate* theirs = other->FindKey(made.attribute);
      const std::size_t most = theirs == nullptr ? 0 : std::min(shared, theirs->parts.size());
      std::size_t same = 0;
      while (same < most && made.parts[same].text == theirs->parts[same].text &&
             made.parts[same].is_placeholder == theirs->parts[same].is_placeholder) {
        ++same;
      }
      shared = same;
    }
    return shared;
  }

  static bool IsLower(const Term& term) {
    return term.comparison == Comparison::kGreater ||
           term.comparison == Comparison::kGreaterOrEqual;
  }

  // A range on the key attribute itself: as it is, or both ends as one BETWEEN.
  void BindOwnRange(const KeyAttribute& key, const std::vector<const Term*>& terms) {
    if (terms.size() == 2 && IsLower(*terms[0]) != IsLower(*terms[1])) {
      const std::size_t low = IsLower(*terms[0]) ? 0 : 1;
      const std::string from = Value(ValueOf(*terms[low], 0));
      AddKey(fmt::format("{} BETWEEN {} AND {}", Name(key.name), from,
                         Value(ValueOf(*terms[1 - low], 0))));
      return;
    }
    AddKey(TermCondition(*terms.front()));
  }

  // A range on one of the values that the key is made of.
  void BindRange(const KeyAttribute& key, const std::vector<CodePiece>& start,
                 const TemplatePart& part, bool more_follows) {
    std::optional<std::vector<CodePiece>> low;
    std::optional<std::vector<CodePiece>> high;
    const auto end = [&](const Term& term, std::size_t operand, bool past) {
      std::vector<CodePiece> pieces = start;
      pieces.push_back({.kind = CodePiece::Kind::kValue,
                        .value = ValueOf(term, operand),
                        .digits = part.padded_digits});
      if (past && more_follows) pieces.push_back({.kind = CodePiece::Kind::kHighest});
      return pieces;
    };
    for (const Term* term : RangeTerms(part.text)) {
      switch (term->comparison) {
        case Comparison::kGreaterOrEqual:
          low = end(*term, 0, false);
          break;
        case Comparison::kGreater:
          low = end(*term, 0, true);
          break;
        case Comparison::kLess:
          high = end(*term, 0, false);
          break;
        case Comparison::kLessOrEqual:
          high = end(*term, 0, true);
          break;
        case Comparison::kBetween:
          low = end(*term, 0, false);
          high = end(*term, 1, true);
          break;
        case Comparison::kBeginsWith:
          AddKey(fmt::format("begins_with({}, {})", Name(key.name),
                             KeyText(key, end(*term, 0, false))));
          return;
        default:
          break;
      }
    }
    AddBounds(key, start, std::move(low), std::move(high));
  }

  void AddBounds(const KeyAttribute& key, const std::vector<CodePiece>& start,
                 std::optional<std::vector<CodePiece>> low,
                 std::optional<std::vector<CodePiece>> high) {
    if (!low && !high) {
      if (start.empty()) return;
      AddKey(fmt::format("begins_with({}, {})", Name(key.name), KeyText(key, start)));
    } else if (start.empty() && !high) {
      AddKey(fmt::format("{} >= {}", Name(key.name), KeyText(key, *std::move(low))));
    } else if (start.empty() && !low) {
      AddKey(fmt::format("{} <= {}", Name(key.name), KeyText(key, *std::move(high))));
    } else {
      if (!low) low = start;
      if (!high) {
        high = start;
        high->push_back({.kind = CodePiece::Kind::kHighest});
      }
      const std::string from = KeyText(key, *low);
      AddKey(fmt::format("{} BETWEEN {} AND {}", Name(key.name), from,
                         KeyText(key, *std::move(high), *low)));
    }
  }

  std::string TermCondition(const Term& term) {
    const std::string name = Name(term.attribute);
    if (term.comparison == Comparison::kExists) return fmt::format("attribute_exists({})", name);
    if (term.comparison == Comparison::kMissing) {
      return fmt::format("attribute_not_exists({})", name);
    }
    std::vector<std::string> values;
    for (std::size_t i = 0; i < term.operands.size(); ++i)
      values.push_back(Value(ValueOf(term, i)));
    switch (term.comparison) {
      case Comparison::kBetween:
        return fmt::format("{} BETWEEN {}", name, fmt::join(values, " AND "));
      case Comparison::kIn:
        return fmt::format("{} IN ({})", name, fmt::join(values, ", "));
      case Comparison::kBeginsWith:
      case Comparison::kContains:
        return fmt::format("{}({}, {})", ComparisonText(term.comparison), name, values[0]);
      default:
        return fmt::format("{} {} {}", name, ComparisonText(term.comparison), values[0]);
    }
  }

  std::string Alternatives(const std::vector<std::vector<Term>>& any_of) {
    std::vector<std::string> alternatives;
    for (const std::vector<Term>& all_of : any_of) {
      std::vector<std::string> terms;
      for (const Term& term : all_of) terms.push_back(TermCondition(term));
      alternatives.push_back(fmt::format("({})", fmt::join(terms, " AND ")));
    }
    return alternatives.size() == 1 ? alternatives.front()
                                    : fmt::format("({})", fmt::join(alternatives, " OR "));
  }

  const std::vector<Term>& where_;
  const Entity& entity_;
  CodeRead& read_;
  std::map<std::string, CodeValue, std::less<>> equal_;  // attributes that have one value
};

// What of an entity a read by this index gives.
void PlanProjection(CodeRead& read) {
  if (read.index == nullptr || read.pattern->read.then_get) return;
  const Projection& projection = read.index->projection;
  if (projection.kind == Projection::Kind::kAll) return;
  read.partial = true;
  read.projected = read.position;
  for (const std::string& name : projection.attributes) AddOnce(read.projected, name);
}

void PlanPosition(CodeRead& read) {
  const auto add = [&](const std::vector<KeyElement>& schema, bool orders) {
    for (const KeyElement& element : schema) {
      AddOnce(read.position, element.attribute.name);
      if (orders) AddOnce(read.order, element.attribute.name);
    }
  };
  if (read.index != nullptr) {
    for (const KeyElement& element : KeySchemaOf(*read.table, *read.index)) {
      if (element.sorts) AddOnce(read.order, element.attribute.name);
    }
    add(KeySchemaOf(*read.table, *read.index), false);
  } else if (read.table->sort) {
    AddOnce(read.order, read.table->sort->name);
  }
  add(KeySchemaOf(*read.table), true);
}

Term EqualsParameter(const std::string& attribute) {
  Term term;
  term.attribute = attribute;
  term.operands.push_back({.kind = Operand::Kind::kParameter, .text = attribute});
  return term;
}

CodeRead::Result ResultOf(const ReadDetail& detail) {
  if (detail.count) return CodeRead::Result::kCount;
  if (detail.unique) return CodeRead::Result::kUnique;
  return detail.all ? CodeRead::Result::kAll : CodeRead::Result::kPage;
}

void PlanRequests(const std::vector<Term>& where, CodeRead& read) {
  PlanPosition(read);
  PlanProjection(read);
  std::vector<Term> asked = where;  // `foreach` gives the values of its attribute
  std::erase_if(asked, [&](const Term& term) {
    return term.attribute == read.pattern->read.foreach_attribute;
  });
  AddParameters(*read.table, *read.entities.front(), asked, read.parameters);
  if (read.pattern->read.filter) {
    for (const std::vector<Term>& terms : read.pattern->read.filter->any_of) {
      AddParameters(*read.table, *read.entities.front(), terms, read.parameters);
    }
  }
  ReadPlanner planner(where, read);
  const bool is_scan = read.pattern->kind == PatternKind::kScan;
  const ReadDetail& detail = read.pattern->read;
  if (!is_scan && !detail.foreach_attribute.empty()) {
    read.each = detail.foreach_values.empty()
                    ? ValuesOf(*read.entities.front(), detail.foreach_attribute)
                    : detail.foreach_values;
    if (read.each.empty()) read.obstacle = "the values of `foreach` are not known";
  }
  if (!is_scan) planner.PlanKey();
  planner.PlanFilter(is_scan);
  planner.PlanBounds();
}

}  // namespace

CodeRead PlanCodeRead(const Model& model, const Pattern& pattern) {
  CodeRead read{.pattern = &pattern};
  const ReadDetail& detail = pattern.read;
  read.size = detail.page.value_or(detail.want.value_or(detail.limit.value_or(kPageDefault)));
  if (pattern.kind == PatternKind::kGet) {
    const Entity* entity = model.FindEntity(pattern.entity);
    read.table = entity == nullptr ? nullptr : model.FindTable(entity->table);
    if (read.table == nullptr || !read.table->partition) {
      read.obstacle = "its entity has no table";
      return read;
    }
    read.entities = {entity};
    const std::vector<std::string> sources = PrimarySources(*read.table, *entity);
    const bool by_key = std::ranges::all_of(sources, [&](const std::string& source) {
      return pattern.by.empty() || Contains(pattern.by, source);
    });
    if (by_key) {
      read.result = pattern.read.batch > 1 ? CodeRead::Result::kGetMany : CodeRead::Result::kGet;
      return read;
    }
    read.index = ResolvePattern(model, pattern).index;
    read.result = CodeRead::Result::kUnique;
    std::vector<Term> where;
    for (const std::string& name : pattern.by) where.push_back(EqualsParameter(name));
    PlanRequests(where, read);
    return read;
  }
  read.table = model.FindTable(pattern.read.table);
  if (read.table == nullptr || !read.table->partition) {
    read.obstacle = "it reads a table without a key";
    return read;
  }
  read.index = pattern.read.index.empty() ? nullptr : read.table->FindIndex(pattern.read.index);
  read.entities = EntitiesOf(model, pattern, *read.table, read.index);
  if (read.entities.empty()) {
    read.obstacle = "it does not say which entity it reads: add `of:`";
    return read;
  }
  read.result = ResultOf(pattern.read);
  PlanRequests(pattern.read.where, read);
  return read;
}

}  // namespace stator::model
