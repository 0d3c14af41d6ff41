// What two versions of a model say differently of the same index.
#ifndef STATOR_RULES_COMPARED_INDEXES_H_
#define STATOR_RULES_COMPARED_INDEXES_H_

#include <vector>

#include "rules/rules.h"

namespace stator::model {

// Indexes whose keys, kind or projection differ under the same name: DynamoDB cannot alter them.
// Findings of rule IX13, at their places in `now`.
std::vector<Finding> ComparedIndexFindings(const Model& old, const Model& now);

}  // namespace stator::model

#endif  // STATOR_RULES_COMPARED_INDEXES_H_
