// ExecuteTransaction: up to 100 PartiQL statements that read as of one moment, or write all or
// nothing.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/consumed_capacity.h"
#include "api/items/table_fit.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/statements/statement_plan.h"
#include "api/transactions/transaction_rules.h"
#include "base/try.h"
#include "engine/write/transaction.h"
#include "value/size.h"

namespace stator {
namespace execute_transaction {
namespace {

constexpr std::string_view kMismatch = "The provided key element does not match the schema";

struct Member {
  partiql::Statement statement;
  std::string table_reference;
  bool want_item_on_failure = false;
};

struct Plan {
  std::vector<Member> members;
  bool is_read = false;
  std::optional<TransactionToken> token;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

Result<void> CheckConstraints(const ExecuteTransactionRequest& request) {
  Constraints check;
  ConstrainRequestToken(check, request.client_request_token);
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  std::optional<std::size_t> count;
  if (request.transact_statements) count = request.transact_statements->size();
  if (count == 0) {
    // An empty list is not shown here.
    check.Add(
        "Value at 'transactStatements' failed to satisfy constraint: Member must have length "
        "greater than or equal to 1");
  } else {
    ConstrainActions(check, "transactStatements", count);
  }
  for (std::size_t i = 0; i < count.value_or(0); ++i) {
    const ParameterizedStatement& one = (*request.transact_statements)[i];
    const std::string prefix = fmt::format("transactStatements.{}.member.", i + 1);
    ConstrainStatement(check, prefix, one.statement, one.parameters);
    check.Enum(prefix + "returnValuesOnConditionCheckFailure",
               one.return_values_on_condition_check_failure);
  }
  return check.Finish();
}

// An error of one statement is said of it.
Error InStatement(std::size_t position, const Error& error) {
  return Error::Validation(
      fmt::format("Validation failed in TransactStatements[{}]: {}", position, error.message()));
}

// What a statement may not do in a transaction, whatever its table.
Result<void> CheckAllowed(const partiql::Statement& statement) {
  const auto returns = [&statement]<class T>() {
    const T* some = std::get_if<T>(&statement);
    return some != nullptr && some->returning != partiql::Returning::kNothing;
  };
  if (returns.operator()<partiql::UpdateStatement>() ||
      returns.operator()<partiql::DeleteStatement>()) {
    return Invalid("RETURNING clause is not supported in ExecuteTransaction.");
  }
  const auto* exists = std::get_if<partiql::ExistsStatement>(&statement);
  const auto* select = exists ? &exists->select : std::get_if<partiql::SelectStatement>(&statement);
  if (select == nullptr || !select->index) return {};
  return Invalid("Reads on indices are not supported within transactions.");
}

Result<partiql::Statement> Parse(const Engine& engine, const ParameterizedStatement& request) {
  ASSIGN_OR_RETURN(partiql::Statement statement,
                   ReadStatement(engine, *request.statement, ParametersOf(request.parameters)));
  RETURN_IF_ERROR(CheckAllowed(statement));
  return statement;
}

std::string FingerprintOf(const ExecuteTransactionRequest& request) {
  std::string print = "ExecuteTransaction";
  for (const ParameterizedStatement& one : *request.transact_statements) {
    AppendFingerprint(print, *one.statement, ParametersOf(one.parameters));
    print += WantsItemOnFailure(one) ? '1' : '0';
  }
  return print;
}

Result<Plan> Validate(ExecuteTransactionRequest&& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(CheckConstraints(request));
  for (const ParameterizedStatement& one : *request.transact_statements) {
    RETURN_IF_ERROR(partiql::CheckParameters(ParametersOf(one.parameters)));
  }
  Plan plan{.capacity = CapacityMode(request.return_consumed_capacity)};
  bool has_write = false;
  for (const ParameterizedStatement& one : *request.transact_statements) {
    Result<partiql::Statement> statement = Parse(engine, one);
    if (!statement) {
      return std::unexpected(InStatement(plan.members.size(), statement.error()));
    }
    (partiql::IsRead(*statement) ? plan.is_read : has_write) = true;
    std::string table_reference = TableReferenceOf(*statement);
    plan.members.push_back({.statement = *std::move(statement),
                            .table_reference = std::move(table_reference),
                            .want_item_on_failure = WantsItemOnFailure(one)});
  }
  if (plan.is_read && has_write) {
    return std::unexpected(
        Error::Validation("ExecuteTransaction API does not support both read and write operations "
                          "in the same request."));
  }
  if (request.client_request_token) {
    plan.token =
        TransactionToken{.token = *request.client_request_token, .request = FingerprintOf(request)};
  }
  return plan;
}

// Fails when the whole request does; what only cancels it is in `refused`.
Result<TransactionRead> PlanRead(const Engine& engine, const Member& member) {
  const auto& select = std::get<partiql::SelectStatement>(member.statement);
  TransactionRead read{.table_reference = member.table_reference};
  Result<TablePtr> table = FindStatementTable(engine, member.table_reference);
  if (!table) {
    read.refused = std::move(table).error();
    return read;
  }
  read.table = *std::move(table);
  read.table_name = read.table->name;
  if (!partiql::CheckReadKeyTypes(select, KeyNamesOf(read.table->keys))) {
    read.refused = Error::Validation(std::string(kMismatch));
    return read;
  }
  ASSIGN_OR_RETURN(std::optional<Item> key, ItemKeyOf(select, *read.table));
  if (!key) {
    return std::unexpected(
        Error::Validation("Select statements within ExecuteTransaction must specify the primary "
                          "key in the where clause."));
  }
  read.key = *std::move(key);
  read.projection = select.projection;
  return read;
}

Result<ExecuteTransactionResponse> ReadAll(const Engine& engine, const Plan& plan) {
  std::vector<TransactionRead> reads;
  for (const Member& member : plan.members) {
    Result<TransactionRead> read = PlanRead(engine, member);
    if (!read) return std::unexpected(InStatement(reads.size(), read.error()));
    reads.push_back(*std::move(read));
  }
  ASSIGN_OR_RETURN(TransactionItems answer,
                   ReadTransaction(engine, std::move(reads), plan.capacity));
  return ExecuteTransactionResponse{.responses = std::move(answer.items),
                                    .consumed_capacity = std::move(answer.consumed_capacity)};
}

// The same for a write. An INSERT that is too large and empty keys fail the whole request.
Result<TransactionAction> PlanAction(const Engine& engine, const Member& member) {
  TransactionAction action;
  Result<TablePtr> table = FindStatementTable(engine, member.table_reference);
  if (!table) {
    action.refused = std::move(table).error();
    return action;
  }
  Result<StatementWrite> plan = PlanWrite(member.statement, *std::move(table));
  if (!plan) {
    if (std::holds_alternative<partiql::ExistsStatement>(member.statement)) {
      return std::unexpected(std::move(plan).error());
    }
    action.refused = Error::Validation(std::string(kMismatch));
    return action;
  }
  action.write = std::move(plan->write);
  action.is_insert = plan->is_insert;
  const ItemView item = action.write.item.view();
  RETURN_IF_ERROR(CheckNoEmptyKeys(action.write.table->keys, item));
  if (action.is_insert) RETURN_IF_ERROR(CheckItemSize(item));
  return action;
}

Result<void> CheckTogether(const std::vector<TransactionAction>& actions) {
  std::vector<TransactionItem> items;
  std::vector<std::optional<Error>> refused;
  std::size_t bytes = 0;
  for (const TransactionAction& action : actions) {
    refused.push_back(action.refused);
    if (action.refused) continue;
    const ItemWrite& write = action.write;
    items.push_back({write.table.get(), write.item.view()});
    if (action.is_insert) bytes += ItemSizeBytes(write.item.view());
  }
  // A reason to cancel comes before two operations on one item.
  if (NamesItemTwice(items)) {
    RETURN_IF_ERROR(CheckNoneRefused(refused));
    RETURN_IF_ERROR(CheckDistinctItems(items));
  }
  if (bytes > kMaxTransactionBytes) return std::unexpected(TransactionTooLarge(bytes));
  return {};
}

Result<std::vector<TransactionAction>> PlanActions(const Engine& engine, const Plan& plan) {
  std::vector<TransactionAction> actions;
  for (const Member& member : plan.members) {
    Result<TransactionAction> action = PlanAction(engine, member);
    if (!action) return std::unexpected(InStatement(actions.size(), action.error()));
    action->write.want_units = plan.capacity != ReturnConsumedCapacity::kNone;
    action->write.want_item_on_failure = member.want_item_on_failure;
    actions.push_back(*std::move(action));
  }
  RETURN_IF_ERROR(CheckTogether(actions));
  for (TransactionAction& action : actions) {
    if (action.refused) continue;
    Result<void> fits = FitToTable(action.write);
    if (!fits) action.refused = std::move(fits).error();
  }
  return actions;
}

void Execute(Engine& engine, Plan&& plan, Reply<ExecuteTransactionResponse> reply) {
  if (plan.is_read) return reply(ReadAll(engine, plan));
  Result<std::vector<TransactionAction>> actions = PlanActions(engine, plan);
  if (!actions) return reply(std::unexpected(std::move(actions).error()));
  TransactionCharges charges{.tables = {}, .mode = plan.capacity};
  for (std::size_t i = 0; i < actions->size(); ++i) {
    const TablePtr& table = (*actions)[i].write.table;
    charges.tables.emplace_back(plan.members[i].table_reference, table ? table->name : "");
  }
  engine.Transact({.actions = *std::move(actions), .token = std::move(plan.token)},
                  [charges = std::move(charges),
                   reply = std::move(reply)](Result<TransactionOutcome> outcome) mutable {
                    if (!outcome) return reply(std::unexpected(std::move(outcome).error()));
                    ExecuteTransactionResponse response;
                    response.consumed_capacity = charges.Of(*std::move(outcome));
                    reply(std::move(response));
                  });
}

}  // namespace
}  // namespace execute_transaction

STATOR_DEFINE_OPERATION(ExecuteTransaction, execute_transaction);

}  // namespace stator
