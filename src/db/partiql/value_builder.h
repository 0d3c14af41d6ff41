// From literals and parameters to values.
#ifndef STATOR_PARTIQL_VALUE_BUILDER_H_
#define STATOR_PARTIQL_VALUE_BUILDER_H_

#include <span>

#include "partiql/syntax.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator::partiql {

// The parameters of a statement, acceptable ones all of them.
using Parameters = std::span<const AttributeValue>;

// True for literals and parameters: what BuildValue may accept.
bool IsValue(const Expression& expression);

// A literal or a whole parameter. Messages tell where in the value a problem is: "… under root.a[0]".
// Parameters inside of lists, bags and tuples are refused.
Result<AttributeValue> BuildValue(const Expression& expression, Parameters parameters);

// The item of an INSERT: a tuple whose values may be parameters.
Result<Item> BuildItem(const Expression& expression, Parameters parameters);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_VALUE_BUILDER_H_
