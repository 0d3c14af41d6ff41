// What the parameters that predate expressions share: their errors and comparison operators.
#ifndef STATOR_EXPR_LEGACY_COMPARISON_H_
#define STATOR_EXPR_LEGACY_COMPARISON_H_

#include <optional>
#include <span>
#include <string_view>

#include "base/wording.h"
#include "expr/condition.h"
#include "stator/expression.h"
#include "stator/result.h"

namespace stator {

// "One or more parameter values were invalid: {reason}"
std::unexpected<Error> InvalidParameters(std::string_view reason);

// "EQ", "NOT_CONTAINS", …
std::string_view ComparisonName(ComparisonOperator comparison);

// An error without an operator, which the constraints of a request do not allow anyway.
Result<ComparisonOperator> RequiredComparison(
    const std::optional<Choice<ComparisonOperator>>& comparison);

// A name in AttributesToGet, AttributeUpdates, Expected or a filter: not empty and not too long.
Result<void> CheckAttributeName(std::string_view name);

// The problem of the first value that has one.
Result<void> CheckArgumentValues(std::span<const AttributeValue> values, Wording wording);

// The number of arguments, one type for all, the types that the operator takes, the order of
// bounds.
Result<void> CheckArguments(ComparisonOperator comparison, std::span<const AttributeValue> values);

// The condition `attribute comparison values`. REQUIRES: CheckArguments succeeded.
ConditionNode LegacyNode(std::string_view attribute, ComparisonOperator comparison,
                         std::span<const AttributeValue> values);

}  // namespace stator

#endif  // STATOR_EXPR_LEGACY_COMPARISON_H_
