// Comparison operators of the parameters that predate expressions.
#ifndef STATOR_EXPR_LEGACY_COMPARISON_H_
#define STATOR_EXPR_LEGACY_COMPARISON_H_

#include <optional>
#include <span>
#include <string_view>

#include "base/wording.h"
#include "expr/condition_node.h"
#include "stator/expression.h"
#include "stator/result.h"

namespace stator {

// "EQ", "NOT_CONTAINS", …
std::string_view ComparisonName(ComparisonOperator comparison);

// The operator, which the constraints of the request already require.
Result<ComparisonOperator> RequiredComparison(
    const std::optional<Choice<ComparisonOperator>>& comparison);

// The message of the first value that is not acceptable.
Result<void> CheckArgumentValues(std::span<const AttributeValue> values, Wording wording);

// The number of arguments, one type for all, the types that the operator takes, the order of
// bounds.
Result<void> CheckArguments(ComparisonOperator comparison, std::span<const AttributeValue> values);

// The condition `attribute comparison values`. REQUIRES: CheckArguments succeeded.
ConditionNode LegacyNode(std::string_view attribute, ComparisonOperator comparison,
                         std::span<const AttributeValue> values);

}  // namespace stator

#endif  // STATOR_EXPR_LEGACY_COMPARISON_H_
