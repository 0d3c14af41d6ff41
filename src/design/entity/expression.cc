#include "entity/expression.h"

#include <fmt/format.h>

#include <algorithm>

namespace stator::entity {
std::string ExpressionText::Name(std::string_view path) {
  const std::size_t dot = path.find('.');
  const std::string_view first = path.substr(0, dot);
  auto it = std::ranges::find_if(names_, [&](const auto& name) { return name.second == first; });
  if (it == names_.end()) {
    names_.emplace_back(fmt::format("#n{}", names_.size()), first);
    it = names_.end() - 1;
  }
  const std::string placeholder = it->first;
  if (dot == std::string_view::npos) return placeholder;
  return placeholder + "." + Name(path.substr(dot + 1));
}

std::string ExpressionText::Value(const AttributeValue& value) {
  const auto it = std::ranges::find_if(values_, [&](const auto& v) { return v.second == value; });
  if (it != values_.end()) return it->first;
  values_.emplace_back(fmt::format(":v{}", values_.size()), value);
  return values_.back().first;
}

std::string ExpressionText::StillIs(std::string_view name, std::optional<ValueView> value) {
  if (!value) return fmt::format("attribute_not_exists({})", Name(name));
  return Equals(name, AttributeValue::FromView(*value));
}

std::string ExpressionText::Condition(const model::Term& term, const model::Entity& entity,
                                      TimeMs now, const model::Parameters& parameters,
                                      std::string& problem) {
  static const model::Attribute kUnknown;
  const std::string name = Name(term.attribute);
  if (term.comparison == model::Comparison::kExists) return "attribute_exists(" + name + ")";
  if (term.comparison == model::Comparison::kMissing) return "attribute_not_exists(" + name + ")";
  const model::Attribute* attribute = entity.FindAttribute(term.attribute);
  std::vector<std::string> values;
  for (const model::Operand& operand : term.operands) {
    const auto value =
        model::OperandValue(operand, attribute == nullptr ? kUnknown : *attribute, now, parameters);
    if (!value) {
      problem = fmt::format("parameter ${} is not given", operand.text);
      return {};
    }
    values.push_back(Value(*value));
  }
  switch (term.comparison) {
    case model::Comparison::kBetween:
      return fmt::format("{} BETWEEN {} AND {}", name, values[0], values[1]);
    case model::Comparison::kIn:
      return fmt::format("{} IN ({})", name, fmt::join(values, ", "));
    case model::Comparison::kBeginsWith:
      return fmt::format("begins_with({}, {})", name, values[0]);
    case model::Comparison::kContains:
      return fmt::format("contains({}, {})", name, values[0]);
    default:
      return fmt::format("{} {} {}", name, model::ComparisonText(term.comparison), values[0]);
  }
}

std::string ExpressionText::Condition(const model::Predicate& predicate,
                                      const model::Entity& entity, TimeMs now,
                                      const model::Parameters& parameters, std::string& problem) {
  std::vector<std::string> alternatives;
  for (const std::vector<model::Term>& all_of : predicate.any_of) {
    std::vector<std::string> terms;
    for (const model::Term& term : all_of) {
      terms.push_back(Condition(term, entity, now, parameters, problem));
      if (!problem.empty()) return {};
    }
    alternatives.push_back(fmt::format("({})", fmt::join(terms, " AND ")));
  }
  return alternatives.size() == 1 ? alternatives.front()
                                  : fmt::format("({})", fmt::join(alternatives, " OR "));
}

std::optional<NameMap> ExpressionText::names() const {
  return names_.empty() ? std::nullopt : std::optional(names_);
}

std::optional<ValueMap> ExpressionText::values() const {
  return values_.empty() ? std::nullopt : std::optional(values_);
}

void AndAlso(std::string& condition, std::string_view more) {
  if (more.empty()) return;
  if (!condition.empty()) condition += " AND ";
  condition += more;
}

}  // namespace stator::entity
