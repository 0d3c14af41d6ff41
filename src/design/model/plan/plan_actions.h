// What IAM must allow for a plan to run.
#ifndef STATOR_MODEL_PLAN_PLAN_ACTIONS_H_
#define STATOR_MODEL_PLAN_PLAN_ACTIONS_H_

#include <set>
#include <string>

#include "model/plan/plan.h"

namespace stator::model {

// On one table: its own (where Query and Scan may stand for an index), and what goes with the plan
// on the table itself, such as the sentinels of unique attributes.
struct PlanActions {
  std::set<std::string> own;
  std::set<std::string> beside;
};

// Without the prefix "dynamodb:". IAM knows the actions inside a transaction, not the transaction:
// of a plan with parts, ask for the actions of the parts.
PlanActions ActionsOf(const Plan& plan);

}  // namespace stator::model

#endif  // STATOR_MODEL_PLAN_PLAN_ACTIONS_H_
