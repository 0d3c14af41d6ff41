// From literals and parameters to values, and from written paths to document paths.
#ifndef STATOR_PARTIQL_VALUE_BUILDER_H_
#define STATOR_PARTIQL_VALUE_BUILDER_H_

#include <span>
#include <string>

#include "expr/path.h"
#include "partiql/syntax.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator::partiql {

// The parameters of a statement. REQUIRES: none has a problem.
using Parameters = std::span<const AttributeValue>;

// True for literals and parameters: what BuildValue may accept.
bool IsValue(const Expression& expression);

// A literal or a whole parameter. Messages tell where in the value a problem is: "… under
// root.a[0]". Parameters inside of lists, bags and tuples are refused.
Result<AttributeValue> BuildValue(const Expression& expression, Parameters parameters);

// The item of an INSERT: a tuple whose values may be parameters.
Result<Item> BuildItem(const Expression& expression, Parameters parameters);

// a.b[2]["c"] and a['b']. "Unexpected path component at …" for what is not a path, "List index is
// not within the allowable range; …".
Result<Path> BuildPath(const Expression& expression);

// The name of the column that a SELECT returns for a path: its last name and the indexes behind it,
// "k[0]".
std::string ColumnName(const Path& path);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_VALUE_BUILDER_H_
