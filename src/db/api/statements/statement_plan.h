// What a PartiQL statement means for its table: the one place where a statement becomes a read or a
// write. How each is carried out is in statement_run.h.
#ifndef STATOR_API_STATEMENTS_STATEMENT_PLAN_H_
#define STATOR_API_STATEMENTS_STATEMENT_PLAN_H_

#include <optional>
#include <string>
#include <string_view>

#include "api/constraints.h"
#include "engine/engine.h"
#include "engine/read/read_path.h"
#include "engine/write/item_write.h"
#include "partiql/key_names.h"
#include "partiql/read_plan.h"
#include "partiql/statement.h"
#include "stator/item.h"
#include "stator/operations.h"
#include "stator/partiql.h"
#include "stator/result.h"

namespace stator {

// `prefix` is empty, or that of an element: "statements.1.member.".
void ConstrainStatement(Constraints& check, std::string_view prefix,
                        const std::optional<std::string>& statement,
                        const std::optional<StatementParameters>& parameters);

// The parameters, none when there are none.
const StatementParameters& ParametersOf(const std::optional<StatementParameters>& parameters);

template <class Request>
bool WantsItemOnFailure(const Request& request) {
  return request.return_values_on_condition_check_failure &&
         request.return_values_on_condition_check_failure->value() ==
             ReturnValuesOnConditionCheckFailure::kAllOld;
}

// Bytes that are equal for equal statements with equal parameters, and different for others, also
// when several stand one behind the other.
void AppendFingerprint(std::string& out, std::string_view statement,
                       const StatementParameters& parameters);

// The statement, with all errors that come before its table is looked up.
Result<partiql::Statement> ReadStatement(const Engine& engine, std::string_view text,
                                         const StatementParameters& parameters);

// The table as the statement calls it: a name or an ARN.
const std::string& TableReferenceOf(const partiql::Statement& statement);
Result<TablePtr> FindStatementTable(const Engine& engine, const std::string& reference);

partiql::KeyNames KeyNamesOf(const KeySchema& keys);

// A SELECT that has found its table. Its reads are pages of one PagePlan, which lacks the rows and
// the filter of each.
struct SelectPlan {
  PagePlan page;
  partiql::ReadPlan reads;
};
// All that can be wrong with a SELECT once its table is known, in DynamoDB's order.
Result<SelectPlan> PlanSelect(const partiql::SelectStatement& select, TablePtr table,
                              bool consistent);

// The key of the only item that a SELECT reads, checked against the schema; absent when the
// statement names an index, does not give the whole key, or says more than that.
Result<std::optional<Item>> ItemKeyOf(const partiql::SelectStatement& select, const Table& table);
// The index must be one that statements can read: errors come before any other of a SELECT.
Result<const Index*> FindStatementIndex(const partiql::SelectStatement& select, const Table& table,
                                        bool consistent);

struct StatementWrite {
  ItemWrite write;
  ReturnValues returned = ReturnValues::kNone;
  bool is_insert = false;  // a failed condition is a DuplicateItem
};
// Fails if the WHERE clause does not name exactly one item by keys of the right types. Whether the
// write fits its table otherwise is not checked (api/items/table_fit.h).
// REQUIRES: not a SELECT.
Result<StatementWrite> PlanWrite(const partiql::Statement& statement, TablePtr table);

// "EXISTS can only be used in ExecuteTransaction write requests."
Result<void> CheckNotExists(const partiql::Statement& statement);

}  // namespace stator

#endif  // STATOR_API_STATEMENTS_STATEMENT_PLAN_H_
