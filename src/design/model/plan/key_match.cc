#include "model/plan/key_match.h"

#include <algorithm>
#include <utility>

#include "model/keys/truth.h"
#include "model/names.h"

namespace stator::model {
namespace {

std::string EscapeBraces(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    escaped.push_back(c);
    if (c == '{' || c == '}') escaped.push_back(c);
  }
  return escaped;
}

// A literal as the placeholder writes it: 7 in {n:03d} is 007.
std::string LiteralText(const Operand& operand, const TemplatePart& part) {
  std::string text = operand.text;
  const auto digits = static_cast<std::size_t>(std::max(part.padded_digits, 0));
  if (text.size() < digits &&
      std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; })) {
    text.insert(0, digits - text.size(), '0');
  }
  return text;
}

std::string PlaceholderText(std::string_view name, const TemplatePart& part) {
  return "{" + std::string(name) + (part.format.empty() ? "" : ":" + part.format) + "}";
}

std::string ValueText(const Operand& operand, const TemplatePart& part) {
  if (operand.IsLiteral()) return EscapeBraces(LiteralText(operand, part));
  std::string name = OperandText(operand);
  if (name.starts_with('$')) name.erase(0, 1);
  return PlaceholderText(name, part);
}

// Builds the text of one clause and its shape side by side.
class ValueBuilder {
 public:
  void Text(std::string_view text) {
    value_ += EscapeBraces(text);
    shape_.AppendText(text);
    if (literal_) start_ += text;
  }
  void Value(const Operand& operand, const Attribute* attribute, const TemplatePart& part) {
    if (operand.IsLiteral()) {
      Text(LiteralText(operand, part));
    } else {
      Open(ValueText(operand, part), attribute, part);
    }
  }
  void Open(std::string text, const Attribute* attribute, const TemplatePart& part) {
    value_ += std::move(text);
    shape_.AppendValue(attribute, part);
    literal_ = false;
  }
  void Whole(std::string text, KeyShape shape) {
    value_ = std::move(text);
    shape_ = std::move(shape);
    literal_ = false;
  }
  bool empty() const { return value_.empty(); }
  const std::string& value() const { return value_; }

  ShapedClause Clause(const std::string& attribute, Comparison comparison,
                      std::vector<std::string> values) const {
    ShapedClause made{
        .clause = {.attribute = attribute, .comparison = comparison, .values = std::move(values)},
        .shape = shape_,
        .start = start_};
    if (comparison != Comparison::kEqual) made.shape.AppendAnything();
    return made;
  }

 private:
  std::string value_;
  KeyShape shape_;
  std::string start_;
  bool literal_ = true;
};

struct End {
  std::size_t term = 0;
  const Operand* operand = nullptr;
  bool inclusive = true;
};

class KeyMatcher {
 public:
  KeyMatcher(const KeySchema& schema, const Entity* entity, const Given& given)
      : schema_(schema), entity_(entity), given_(given) {
    match_.used.assign(given.terms.size(), false);
  }

  KeyMatch Run() {
    for (const KeyAttribute* key : schema_.partition) MatchPartition(*key);
    if (schema_.partition.empty()) match_.missing.emplace_back("a partition key");
    match_.partition_terms = static_cast<std::size_t>(std::ranges::count(match_.used, true));
    bool open = match_.missing.empty();  // attributes of a sort key are bound left to right
    for (const KeyAttribute* key : schema_.sort) {
      if (open) {
        open = MatchSort(*key);
      } else {
        Need(*key, match_.missing_sort);
      }
    }
    return std::move(match_);
  }

 private:
  bool Concerns(const Term& term, std::string_view name) const {
    return term.attribute == name &&
           (term.entity.empty() || entity_ == nullptr || term.entity == entity_->name);
  }

  std::optional<std::size_t> FindTerm(std::string_view name, Comparison comparison) const {
    for (std::size_t i = 0; i < given_.terms.size(); ++i) {
      const Term& term = given_.terms[i];
      if (term.comparison == comparison && !term.operands.empty() && Concerns(term, name)) return i;
    }
    return std::nullopt;
  }

  const Attribute* Find(std::string_view name) const {
    return entity_ == nullptr ? nullptr : entity_->FindAttribute(name);
  }

  std::optional<KeyTemplate> Template(const KeyAttribute& key) const {
    if (entity_ == nullptr) return std::nullopt;
    if (schema_.index == nullptr) return BaseTemplateFor(*entity_, key.name);
    if (SchemaOf(*schema_.table).Has(key.name)) return BaseTemplateFor(*entity_, key.name);
    return TemplateFor(*entity_, key.name);
  }

  void Need(const KeyAttribute& key, std::vector<std::string>& missing) const {
    const std::optional<KeyTemplate> made = Template(key);
    if (!made) return AddOnce(missing, key.name);
    for (const std::string& source : made->Sources()) AddOnce(missing, source);
  }

  // Each value of `name` needs its own requests, counted once for all keys that use it.
  void FanOut(std::string_view name, std::size_t values) {
    if (Contains(fanned_, name)) return;
    fanned_.emplace_back(name);
    match_.calls *= static_cast<std::int64_t>(std::clamp<std::size_t>(values, 1, 10000));
  }

  // Appends the value of a placeholder, if one is given.
  bool AppendFixed(const TemplatePart& part, ValueBuilder& builder) {
    if (part.text == kShard) {
      AppendShard(part, builder);
      return true;
    }
    const Attribute* attribute = Find(part.text);
    if (const auto equal = FindTerm(part.text, Comparison::kEqual)) {
      match_.used[*equal] = true;
      builder.Value(given_.terms[*equal].operands[0], attribute, part);
      return true;
    }
    if (const auto in = FindTerm(part.text, Comparison::kIn)) {
      match_.used[*in] = true;
      FanOut(part.text, given_.terms[*in].operands.size());
      builder.Open(PlaceholderText(part.text, part), attribute, part);
      return true;
    }
    if (given_.read != nullptr && given_.read->foreach_attribute == part.text) {
      const std::vector<std::string>& values = given_.read->foreach_values;
      FanOut(part.text, !values.empty() || entity_ == nullptr
                            ? values.size()
                            : ValuesOf(*entity_, part.text).size());
      builder.Open(PlaceholderText(part.text, part), attribute, part);
      return true;
    }
    return false;
  }

  void AppendShard(const TemplatePart& part, ValueBuilder& builder) {
    builder.Open("{shard}", nullptr, part);
    if (schema_.index == nullptr || !schema_.index->shards) return;
    const Shards& shards = *schema_.index->shards;
    const bool known = !shards.by.empty() && FindTerm(shards.by, Comparison::kEqual);
    const bool one = given_.read != nullptr && !given_.read->all_shards;
    if (!known && !one) FanOut(kShard, static_cast<std::size_t>(std::max(shards.count, 1)));
  }

  // The caller names the key attribute itself.
  bool MatchVerbatim(const KeyAttribute& key, const std::optional<KeyTemplate>& made,
                     std::vector<ShapedClause>& clauses) {
    const auto equal = FindTerm(key.name, Comparison::kEqual);
    if (!equal) return false;
    match_.used[*equal] = true;
    const Operand& operand = given_.terms[*equal].operands[0];
    ValueBuilder builder;
    if (operand.IsLiteral()) {
      builder.Text(operand.text);
    } else if (made) {
      builder.Whole(ValueText(operand, {}), ShapeOf(*entity_, *made));
    } else {
      builder.Open(ValueText(operand, {}), nullptr, {});
    }
    clauses.push_back(builder.Clause(key.name, Comparison::kEqual, {builder.value()}));
    return true;
  }

  void MatchPartition(const KeyAttribute& key) {
    const std::optional<KeyTemplate> made = Template(key);
    if (!made || made->IsDerived()) {
      if (MatchVerbatim(key, made, match_.partition)) {
        match_.verbatim = true;
        ++match_.given;
        return;
      }
    }
    if (!made) return AddOnce(match_.missing, key.name);
    ValueBuilder builder;
    bool bound = true;
    for (const TemplatePart& part : made->parts) {
      if (!part.is_placeholder) {
        builder.Text(part.text);
      } else if (AppendFixed(part, builder)) {
        ++match_.given;
      } else {
        AddOnce(match_.missing, part.text);
        bound = false;
      }
    }
    if (bound) {
      match_.partition.push_back(builder.Clause(key.name, Comparison::kEqual, {builder.value()}));
    }
  }

  // Returns true if the attribute is fixed, so that the next one can be bound too.
  bool MatchSort(const KeyAttribute& key) {
    const std::optional<KeyTemplate> made = Template(key);
    if (!made || made->IsDerived()) {
      if (MatchVerbatim(key, made, match_.sort)) return true;
      if (MatchRange(key, ValueBuilder(), key.name, /*more_follows=*/false)) {
        if (made) Need(key, match_.missing_sort);
        return false;
      }
    }
    if (!made) {
      match_.missing_sort.push_back(key.name);
      return false;
    }
    return MatchSortTemplate(key, *made);
  }

  bool MatchSortTemplate(const KeyAttribute& key, const KeyTemplate& made) {
    ValueBuilder builder;
    bool has_value = false;
    for (std::size_t i = 0; i < made.parts.size(); ++i) {
      const TemplatePart& part = made.parts[i];
      if (!part.is_placeholder) {
        builder.Text(part.text);
        continue;
      }
      if (AppendFixed(part, builder)) {
        has_value = true;
        continue;
      }
      AddOnce(match_.missing_sort, part.text);
      for (std::size_t j = i + 1; j < made.parts.size(); ++j) {
        if (made.parts[j].is_placeholder) AddOnce(match_.missing_sort, made.parts[j].text);
      }
      part_ = &part;
      if (MatchRange(key, builder, part.text, i + 1 < made.parts.size())) return false;
      if (builder.empty()) return false;
      ShapedClause prefix = builder.Clause(key.name, Comparison::kBeginsWith, {builder.value()});
      if (has_value) {
        match_.sort.push_back(std::move(prefix));
      } else {
        match_.sort_prefix = std::move(prefix);
      }
      return false;
    }
    // A caller that gives the partition key itself does not ask for a constant sort key.
    if (has_value || !match_.verbatim) {
      match_.sort.push_back(builder.Clause(key.name, Comparison::kEqual, {builder.value()}));
    }
    return true;
  }

  // A range of the attribute `name`, after what `prefix` fixes. `more_follows`: its values are not
  // the end of the key, so that keys with an equal value are longer texts than the bound.
  bool MatchRange(const KeyAttribute& key, const ValueBuilder& prefix, std::string_view name,
                  bool more_follows) {
    if (const auto begins = FindTerm(name, Comparison::kBeginsWith)) {
      match_.used[*begins] = true;
      const Operand& operand = given_.terms[*begins].operands[0];
      ValueBuilder value = prefix;
      if (operand.IsLiteral()) value.Text(operand.text);
      const std::string text =
          operand.IsLiteral() ? value.value() : prefix.value() + ValueText(operand, {});
      match_.sort.push_back(value.Clause(key.name, Comparison::kBeginsWith, {text}));
      return true;
    }
    std::optional<End> low;
    std::optional<End> high;
    FindBounds(name, low, high);
    if (!low && !high) return false;
    const TemplatePart plain{.is_placeholder = true, .text = std::string(name)};
    const TemplatePart& part = part_ != nullptr && part_->text == name ? *part_ : plain;
    AddRange(key, prefix, part, more_follows, low, high);
    return true;
  }

  void FindBounds(std::string_view name, std::optional<End>& low, std::optional<End>& high) {
    if (const auto between = FindTerm(name, Comparison::kBetween);
        between && given_.terms[*between].operands.size() == 2) {
      const std::vector<Operand>& operands = given_.terms[*between].operands;
      low = End{*between, &operands[0], true};
      high = End{*between, &operands[1], true};
      return;
    }
    const auto find = [&](Comparison open, Comparison closed) -> std::optional<End> {
      if (const auto at = FindTerm(name, closed)) {
        return End{*at, given_.terms[*at].operands.data(), true};
      }
      if (const auto at = FindTerm(name, open)) {
        return End{*at, given_.terms[*at].operands.data(), false};
      }
      return std::nullopt;
    };
    low = find(Comparison::kGreater, Comparison::kGreaterOrEqual);
    high = find(Comparison::kLess, Comparison::kLessOrEqual);
  }

  void AddRange(const KeyAttribute& key, const ValueBuilder& prefix, const TemplatePart& part,
                bool more_follows, const std::optional<End>& low, const std::optional<End>& high) {
    const auto text = [&](const End& bound, bool after) {
      return prefix.value() + ValueText(*bound.operand, part) +
             (after && more_follows ? std::string(kGreatestText) : "");
    };
    const bool one_sided = prefix.empty() && (!low || !high);
    if (one_sided) {
      const End& bound = low ? *low : *high;
      const Comparison comparison =
          low ? (bound.inclusive ? Comparison::kGreaterOrEqual : Comparison::kGreater)
              : (bound.inclusive ? Comparison::kLessOrEqual : Comparison::kLess);
      const bool after = low ? !bound.inclusive : bound.inclusive;
      match_.used[bound.term] = true;
      match_.sort.push_back(prefix.Clause(key.name, comparison, {text(bound, after)}));
      return;
    }
    // BETWEEN includes both ends. An end that the caller excludes is still exact if no key can
    // equal it, because more text follows in the key; otherwise the term remains as a filter.
    // DynamoDB allows no filter on the key attribute itself: there the caller must pass the last
    // value that is inside the range.
    const bool own = part.text == key.name;
    for (const std::optional<End>& bound : {low, high}) {
      if (bound && (bound->inclusive || more_follows || own)) match_.used[bound->term] = true;
    }
    match_.sort.push_back(prefix.Clause(
        key.name, Comparison::kBetween,
        {low ? text(*low, !low->inclusive) : prefix.value(),
         high ? text(*high, high->inclusive) : prefix.value() + std::string(kGreatestText)}));
  }

  const KeySchema& schema_;
  const Entity* entity_;
  Given given_;
  KeyMatch match_;
  std::vector<std::string> fanned_;
  const TemplatePart* part_ = nullptr;  // whose range is being matched
};

}  // namespace

KeyMatch MatchKey(const KeySchema& schema, const Entity* entity, const Given& given) {
  return KeyMatcher(schema, entity, given).Run();
}

}  // namespace stator::model
