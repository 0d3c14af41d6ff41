// What can be said of the operands of one condition before any item is seen.
#ifndef STATOR_EXPR_CONDITION_CHECKS_H_
#define STATOR_EXPR_CONDITION_CHECKS_H_

#include "expr/condition_node.h"
#include "expr/placeholders.h"
#include "expr/syntax.h"
#include "stator/result.h"

namespace stator {

// Operand counts, distinct operands, operand types, in this order. `test.operands` belong to
// `node.children` one by one.
Result<void> CheckOperands(const SyntaxNode& node, const ConditionNode& test, ExpressionKind kind);

// The type that the second operand of attribute_type names.
Result<Type> TypeOperand(const Operand& operand, ExpressionKind kind);

}  // namespace stator

#endif  // STATOR_EXPR_CONDITION_CHECKS_H_
