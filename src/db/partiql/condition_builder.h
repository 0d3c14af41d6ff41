// From a WHERE clause to a condition.
#ifndef STATOR_PARTIQL_CONDITION_BUILDER_H_
#define STATOR_PARTIQL_CONDITION_BUILDER_H_

#include "expr/condition.h"
#include "partiql/syntax.h"
#include "partiql/value_builder.h"
#include "stator/result.h"

namespace stator::partiql {

// Checks from left to right everything that can be said before an item is seen. A condition in the
// place of a value is a BOOL.
Result<ConditionNode> BuildCondition(const Expression& expression, Parameters parameters);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_CONDITION_BUILDER_H_
