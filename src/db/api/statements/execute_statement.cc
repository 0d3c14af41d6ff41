// ExecuteStatement: one PartiQL statement.
#include <utility>

#include "api/consumed_capacity.h"
#include "api/items/table_fit.h"
#include "api/next_token.h"
#include "api/operations.h"
#include "api/statements/statement_plan.h"
#include "api/statements/statement_run.h"
#include "base/try.h"

namespace stator {
namespace execute_statement {
namespace {

constexpr std::size_t kMaxTokenLength = 32768;

struct Plan {
  partiql::Statement statement;
  SelectOptions options;
  bool want_item_on_failure = false;
};

Result<void> CheckConstraints(const ExecuteStatementRequest& request) {
  Constraints check;
  ConstrainStatement(check, "", request.statement, request.parameters);
  if (request.next_token) {
    check.Length(Constraints::Quoted(*request.next_token), "nextToken", request.next_token->size(),
                 1, kMaxTokenLength);
  }
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  check.AtLeast("limit", request.limit, 1);
  check.Enum("returnValuesOnConditionCheckFailure",
             request.return_values_on_condition_check_failure);
  return check.Finish();
}

Result<Plan> Validate(ExecuteStatementRequest&& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(CheckConstraints(request));
  const StatementParameters& parameters = ParametersOf(request.parameters);
  ASSIGN_OR_RETURN(partiql::Statement statement,
                   ReadStatement(engine, *request.statement, parameters));
  RETURN_IF_ERROR(CheckNotExists(statement));
  Plan plan{.statement = std::move(statement)};
  plan.options.table_reference = TableReferenceOf(plan.statement);
  AppendFingerprint(plan.options.request, *request.statement, parameters);
  plan.options.next_token = std::move(request.next_token);
  plan.options.limit = request.limit;
  plan.options.consistent = request.consistent_read.value_or(false);
  plan.options.capacity = CapacityMode(request.return_consumed_capacity);
  plan.want_item_on_failure = WantsItemOnFailure(request);
  return plan;
}

Result<StatementWrite> FittingWrite(const Engine& engine, const Plan& plan, TablePtr table) {
  ASSIGN_OR_RETURN(StatementWrite write, PlanWrite(plan.statement, std::move(table)));
  RETURN_IF_ERROR(FitToTable(write.write));
  if (plan.options.next_token) {
    RETURN_IF_ERROR(ReadNextToken(engine.hasher(), plan.options.request, *plan.options.next_token));
  }
  write.write.want_units = plan.options.capacity != ReturnConsumedCapacity::kNone;
  write.write.want_item_on_failure = plan.want_item_on_failure && !write.is_insert;
  return write;
}

Result<ExecuteStatementResponse> Select(Engine& engine, const Plan& plan, TablePtr table) {
  const auto& select = std::get<partiql::SelectStatement>(plan.statement);
  ASSIGN_OR_RETURN(const SelectPlan reads,
                   PlanSelect(select, std::move(table), plan.options.consistent));
  return RunSelect(engine, reads, plan.options);
}

ExecuteStatementResponse WriteResponse(WrittenStatement&& written, const SelectOptions& options) {
  ExecuteStatementResponse response;
  if (written.item) response.items.Append(written.item->view());
  if (options.capacity != ReturnConsumedCapacity::kNone) {
    response.consumed_capacity =
        WriteCapacity(options.table_reference, written.units, options.capacity);
  }
  return response;
}

void Execute(Engine& engine, Plan&& plan, Reply<ExecuteStatementResponse> reply) {
  Result<TablePtr> table = FindStatementTable(engine, plan.options.table_reference);
  if (!table) return reply(std::unexpected(std::move(table).error()));
  // A table that was dropped and made again is another table.
  plan.options.request += std::to_string((*table)->number);
  if (partiql::IsRead(plan.statement)) return reply(Select(engine, plan, *std::move(table)));
  Result<StatementWrite> write = FittingWrite(engine, plan, *std::move(table));
  if (!write) return reply(std::unexpected(std::move(write).error()));
  RunWrite(engine, *std::move(write),
           [options = std::move(plan.options),
            reply = std::move(reply)](Result<WrittenStatement> written) mutable {
             if (!written) return reply(std::unexpected(std::move(written).error()));
             reply(WriteResponse(*std::move(written), options));
           });
}

}  // namespace
}  // namespace execute_statement

STATOR_DEFINE_OPERATION(ExecuteStatement, execute_statement);

}  // namespace stator
