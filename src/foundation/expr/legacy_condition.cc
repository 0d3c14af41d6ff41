#include <fmt/format.h>

#include <span>
#include <utility>

#include "base/try.h"
#include "expr/condition.h"
#include "expr/condition_node.h"
#include "expr/legacy_comparison.h"

namespace stator {
namespace {

using Op = ComparisonOperator;

std::unexpected<Error> Refused(std::string_view reason, std::string_view attribute) {
  return std::unexpected(Error::Validation(fmt::format(
      "One or more parameter values were invalid: {} for Attribute: {}", reason, attribute)));
}

std::span<const AttributeValue> Arguments(const ExpectedAttribute& expected) {
  if (expected.attribute_value_list) return *expected.attribute_value_list;
  if (expected.value) return {&*expected.value, 1};
  return {};
}

Result<ConditionNode> WithComparison(std::string_view attribute,
                                     const ExpectedAttribute& expected) {
  if (expected.exists) {
    return Refused("Exists and ComparisonOperator cannot be used together", attribute);
  }
  ASSIGN_OR_RETURN(const Op comparison, RequiredComparison(expected.comparison_operator));
  const bool takes_none = comparison == Op::kNull || comparison == Op::kNotNull;
  if (!takes_none && !expected.value && !expected.attribute_value_list) {
    return Refused(
        fmt::format("Value or AttributeValueList must be used with ComparisonOperator: {}",
                    ComparisonName(comparison)),
        attribute);
  }
  RETURN_IF_ERROR(CheckArguments(comparison, Arguments(expected)));
  return LegacyNode(attribute, comparison, Arguments(expected));
}

Result<ConditionNode> WithExists(std::string_view attribute, const ExpectedAttribute& expected) {
  if (expected.attribute_value_list) {
    return Refused("AttributeValueList can only be used with a ComparisonOperator", attribute);
  }
  if (expected.exists.value_or(true)) {
    if (!expected.value) {
      return Refused(fmt::format("Value must be provided when Exists is {}",
                                 expected.exists ? "true" : "null"),
                     attribute);
    }
    return LegacyNode(attribute, Op::kEq, Arguments(expected));
  }
  if (expected.value) return Refused("Value cannot be used when Exists is false", attribute);
  return LegacyNode(attribute, Op::kNull, {});
}

Result<ConditionNode> ExpectedNode(std::string_view attribute, const ExpectedAttribute& expected,
                                   Wording wording) {
  RETURN_IF_ERROR(CheckArgumentValues(Arguments(expected), wording));
  if (expected.value && expected.attribute_value_list) {
    return Refused("Value and AttributeValueList cannot be used together", attribute);
  }
  return expected.comparison_operator ? WithComparison(attribute, expected)
                                      : WithExists(attribute, expected);
}

ConditionNode Joined(ConditionalOperator joined) {
  return {.kind = joined == ConditionalOperator::kAnd ? ConditionNode::Kind::kAnd
                                                      : ConditionNode::Kind::kOr};
}

}  // namespace

Result<Condition> Condition::FromExpected(const ExpectedMap& expected, ConditionalOperator joined,
                                          Wording wording) {
  ConditionNode root = Joined(joined);
  for (const auto& [attribute, entry] : expected) {
    ASSIGN_OR_RETURN(root.children.emplace_back(), ExpectedNode(attribute, entry, wording));
  }
  return Condition(std::make_shared<const ConditionNode>(std::move(root)));
}

Result<Condition> Condition::FromFilter(const LegacyConditionMap& filter,
                                        ConditionalOperator joined, Wording wording) {
  ConditionNode root = Joined(joined);
  for (const auto& [attribute, condition] : filter) {
    RETURN_IF_ERROR(CheckArgumentValues(condition.attribute_value_list, wording));
    ASSIGN_OR_RETURN(const Op comparison, RequiredComparison(condition.comparison_operator));
    RETURN_IF_ERROR(CheckArguments(comparison, condition.attribute_value_list));
    root.children.push_back(LegacyNode(attribute, comparison, condition.attribute_value_list));
  }
  return Condition(std::make_shared<const ConditionNode>(std::move(root)));
}

Result<void> CheckConditionalOperator(bool operator_given, std::size_t conditions) {
  if (!operator_given || conditions >= 2) return {};
  return std::unexpected(Error::Validation(
      conditions == 0 ? "ConditionalOperator cannot be used without Filter or Expected"
                      : "ConditionalOperator can only be used when Filter or Expected has two or "
                        "more elements"));
}

}  // namespace stator
