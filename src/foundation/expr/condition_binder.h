// From the shape of a condition to its checked form.
#ifndef STATOR_EXPR_CONDITION_BINDER_H_
#define STATOR_EXPR_CONDITION_BINDER_H_

#include "expr/condition_node.h"
#include "expr/placeholders.h"
#include "expr/syntax.h"
#include "stator/result.h"

namespace stator {

// Checks, in this order: unknown functions, misused functions, reserved words, the number of
// operators; then condition by condition from the left: undefined names and values, operand counts,
// distinct operands, operand types.
Result<ConditionNode> BindCondition(const SyntaxTree& tree, ExpressionKind kind,
                                    Placeholders& placeholders);

}  // namespace stator

#endif  // STATOR_EXPR_CONDITION_BINDER_H_
