// From a WHERE clause to a condition.
#ifndef STATOR_PARTIQL_CONDITION_BUILDER_H_
#define STATOR_PARTIQL_CONDITION_BUILDER_H_

#include "expr/condition_node.h"
#include "partiql/syntax.h"
#include "partiql/value_builder.h"
#include "stator/result.h"

namespace stator::partiql {

// Everything that can be said before an item is seen is checked from left to right. A condition may
// stand where a value is wanted: it is a BOOL then.
Result<ConditionNode> BuildCondition(const Expression& expression, Parameters parameters);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_CONDITION_BUILDER_H_
