// From the SET and REMOVE clauses of an UPDATE to an update.
#ifndef STATOR_PARTIQL_UPDATE_BUILDER_H_
#define STATOR_PARTIQL_UPDATE_BUILDER_H_

#include <vector>

#include "expr/update.h"
#include "partiql/syntax.h"
#include "partiql/value_builder.h"
#include "stator/result.h"

namespace stator::partiql {

Result<Update> BuildUpdate(const std::vector<StatementSyntax::Clause>& clauses,
                           Parameters parameters);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_UPDATE_BUILDER_H_
