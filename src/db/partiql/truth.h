// Conditions that are used as values: rewritten so that only conditions remain.
#ifndef STATOR_PARTIQL_TRUTH_H_
#define STATOR_PARTIQL_TRUTH_H_

#include "expr/condition_node.h"
#include "stator/result.h"

namespace stator::partiql {

ConditionNode Not(ConditionNode condition);
ConditionNode Always();
ConditionNode Never();

// Rewriting repeats conditions. What grows beyond any reasonable statement is refused.
Result<void> CheckSize(const ConditionNode& condition);

// if_true where `truth` holds, if_false elsewhere.
Result<ConditionNode> Choose(ConditionNode truth, ConditionNode if_true, ConditionNode if_false);
// Both hold, or neither does.
Result<ConditionNode> SameTruth(ConditionNode a, ConditionNode b);
// The operand is the BOOL that the condition comes to.
Result<ConditionNode> TruthEquals(const ConditionNode& truth, const Operand& operand);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_TRUTH_H_
