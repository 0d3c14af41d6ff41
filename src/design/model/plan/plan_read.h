// Plans of reads: a get by its key or through an index, a query, a scan.
#ifndef STATOR_MODEL_PLAN_PLAN_READ_H_
#define STATOR_MODEL_PLAN_PLAN_READ_H_

#include "model/plan/plan.h"

namespace stator::model {

// REQUIRES: plan.pattern is a get, a query or a scan. Fills the rest of the plan.
void ResolveRead(const Model& model, Plan& plan);

// Sets the entity that the pattern names and its table; false, with an obstacle, if there is none.
bool FindEntity(const Model& model, Plan& plan);

}  // namespace stator::model

#endif  // STATOR_MODEL_PLAN_PLAN_READ_H_
