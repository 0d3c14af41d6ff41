// The two halves of EstimatePlans.
#ifndef STATOR_MODEL_ESTIMATE_ESTIMATE_PARTS_H_
#define STATOR_MODEL_ESTIMATE_ESTIMATE_PARTS_H_

#include "model/estimate/estimate.h"

namespace stator::model {

// Which of an Amount is meant.
using Pick = double Amount::*;

void EstimateRead(const Model& model, const Plan& plan, Estimate& estimate);
void EstimateWrite(const Model& model, const Plan& plan, Estimate& estimate);

}  // namespace stator::model

#endif  // STATOR_MODEL_ESTIMATE_ESTIMATE_PARTS_H_
