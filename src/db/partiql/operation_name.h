// How messages call a part of a statement that stands where it cannot.
#ifndef STATOR_PARTIQL_OPERATION_NAME_H_
#define STATOR_PARTIQL_OPERATION_NAME_H_

#include <expected>
#include <string_view>

#include "partiql/syntax.h"
#include "stator/error.h"

namespace stator::partiql {

// "IsType", "Lit", "Eq", …
std::string_view OperationName(const Expression& expression);

// "Unsupported operation: {name}"
std::unexpected<Error> UnsupportedOperation(const Expression& expression);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_OPERATION_NAME_H_
