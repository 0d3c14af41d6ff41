// From written paths to document paths.
#ifndef STATOR_PARTIQL_PATH_BUILDER_H_
#define STATOR_PARTIQL_PATH_BUILDER_H_

#include <string>

#include "expr/path.h"
#include "partiql/syntax.h"
#include "stator/result.h"

namespace stator::partiql {

// a.b[2]["c"] and a['b']. "Unexpected path component at …" for what is no path, "List index is not
// within the allowable range; …".
Result<Path> BuildPath(const Expression& expression);

// How a SELECT calls the column of a path: its last name and the indexes behind it, "k[0]".
std::string ColumnName(const Path& path);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_PATH_BUILDER_H_
