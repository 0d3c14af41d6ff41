// BatchExecuteStatement: up to 25 PartiQL statements, each of which succeeds or fails by itself.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <utility>

#include "api/consumed_capacity.h"
#include "api/items/table_fit.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/statements/statement_plan.h"
#include "api/statements/statement_run.h"
#include "api/transactions/transaction_rules.h"
#include "base/try.h"
#include "capacity/units.h"
#include "engine/write/transaction.h"
#include "value/item_json.h"
#include "value/size.h"

namespace stator {
namespace batch_execute_statement {
namespace {

constexpr std::size_t kMaxStatements = 25;

// One statement, and what came of it.
struct Member {
  std::optional<partiql::Statement> statement;  // absent if it cannot be read
  bool consistent = false;
  std::string table_reference;
  TablePtr table;
  std::optional<Item> key;  // of a SELECT
  std::optional<StatementWrite> write;

  std::optional<Error> error;
  bool ran = false;  // it reached its table, whatever came of it
  std::optional<Item> item;
  WriteUnits units;
  double failed_units = 0;
};

struct Plan {
  std::vector<Member> members;
  bool is_read = false;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

Result<void> CheckConstraints(const BatchExecuteStatementRequest& request) {
  Constraints check;
  check.NotNull("statements", request.statements);
  const std::size_t count = request.statements ? request.statements->size() : 1;
  check.Length(Constraints::Quoted(count == 0 ? "[]" : "[…]"), "statements", count, 1,
               kMaxStatements);
  for (std::size_t i = 0; request.statements && i < count; ++i) {
    const BatchStatementRequest& one = (*request.statements)[i];
    const std::string prefix = fmt::format("statements.{}.member.", i + 1);
    ConstrainStatement(check, prefix, one.statement, one.parameters);
    check.Enum(prefix + "returnValuesOnConditionCheckFailure",
               one.return_values_on_condition_check_failure);
  }
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  return check.Finish();
}

Result<partiql::Statement> Parse(const Engine& engine, const BatchStatementRequest& request) {
  ASSIGN_OR_RETURN(partiql::Statement statement,
                   ReadStatement(engine, *request.statement, ParametersOf(request.parameters)));
  RETURN_IF_ERROR(CheckNotExists(statement));
  return statement;
}

Result<Plan> Validate(BatchExecuteStatementRequest&& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(CheckConstraints(request));
  Plan plan{.capacity = CapacityMode(request.return_consumed_capacity)};
  bool has_write = false;
  for (const BatchStatementRequest& one : *request.statements) {
    Member& member = plan.members.emplace_back();
    member.consistent = one.consistent_read.value_or(false);
    Result<partiql::Statement> statement = Parse(engine, one);
    if (!statement) {
      member.error = std::move(statement).error();
      continue;
    }
    (partiql::IsRead(*statement) ? plan.is_read : has_write) = true;
    member.table_reference = TableReferenceOf(*statement);
    member.statement = *std::move(statement);
  }
  if (plan.is_read && has_write) {
    return std::unexpected(
        Error::Validation("Read and write requests together in the same batch is not supported."));
  }
  return plan;
}

Result<void> PlanMember(const Engine& engine, Member& member, bool wants_capacity) {
  ASSIGN_OR_RETURN(member.table, FindStatementTable(engine, member.table_reference));
  if (const auto* select = std::get_if<partiql::SelectStatement>(&*member.statement)) {
    ASSIGN_OR_RETURN(member.key, ItemKeyOf(*select, *member.table));
    if (member.key) return {};
    return Invalid(
        "Select statements within BatchExecuteStatement must specify the primary key in the where "
        "clause.");
  }
  ASSIGN_OR_RETURN(member.write, PlanWrite(*member.statement, member.table));
  ItemWrite& write = member.write->write;
  RETURN_IF_ERROR(FitToTable(write));
  write.want_units = wants_capacity;
  write.want_item_on_failure = wants_capacity;  // what fails is charged by its size
  return {};
}

Result<void> CheckDistinct(const std::vector<Member>& members) {
  std::vector<TransactionItem> items;
  for (const Member& member : members) {
    if (member.error) continue;
    items.push_back(
        {member.table.get(), member.key ? member.key->view() : member.write->write.item.view()});
  }
  if (!NamesItemTwice(items)) return {};
  return Invalid("Provided list of item keys contains duplicates");
}

// What fails costs as much as the larger of the stored item and the one that was wanted.
double FailedUnits(const ItemWrite& write, const Error& error) {
  const bool is_stored = !error.item().empty();
  const ItemView stored(is_stored ? std::string_view(error.item()) : write.item.encoded());
  std::size_t bytes = is_stored ? ItemSizeBytes(stored) : 0;
  if (write.kind == ItemWrite::Kind::kPut) {
    bytes = std::max(bytes, ItemSizeBytes(write.item.view()));
  } else if (write.update) {
    if (const Result<Item> wanted = write.update->Apply(stored)) {
      bytes = std::max(bytes, ItemSizeBytes(wanted->view()));
    }
  }
  return WriteUnits1KB(bytes);
}

// One entry per table, unless all its statements failed. What failures cost is in the total only.
std::vector<ConsumedCapacity> CapacityOf(const std::vector<Member>& members,
                                         ReturnConsumedCapacity mode) {
  struct Sum {
    const Member* first;
    WriteUnits units;
    double failed_units = 0;
    bool has_success = false;
  };
  std::vector<Sum> sums;
  for (const Member& member : members) {
    if (!member.ran) continue;
    auto sum = std::ranges::find_if(
        sums, [&](const Sum& other) { return other.first->table->name == member.table->name; });
    if (sum == sums.end()) sum = sums.insert(sums.end(), Sum{.first = &member});
    AddUnits(sum->units, member.units);
    sum->failed_units += member.failed_units;
    sum->has_success = sum->has_success || !member.error;
  }
  std::vector<ConsumedCapacity> list;
  for (const Sum& sum : sums) {
    if (!sum.has_success) continue;
    list.push_back(WriteCapacity(sum.first->table_reference, sum.units, mode));
    list.back().capacity_units += sum.failed_units;
  }
  return list;
}

BatchStatementResponse ResponseOf(Member& member) {
  BatchStatementResponse response;
  if (member.error) {
    const std::optional<CancellationReason> reason = ReasonOf(*member.error);
    response.error = BatchStatementError{.code = reason ? reason->code : "InternalServerError",
                                         .message = member.error->message()};
  }
  const bool names_table =
      member.ran || (member.error && member.error->code() == ErrorCode::kResourceNotFound);
  if (names_table) response.table_name = std::move(member.table_reference);
  // There is no such thing as an empty item here.
  if (member.item && !member.item->empty()) response.item = std::move(member.item);
  return response;
}

BatchExecuteStatementResponse Answer(Plan& plan) {
  BatchExecuteStatementResponse response;
  if (plan.capacity != ReturnConsumedCapacity::kNone) {
    response.consumed_capacity = CapacityOf(plan.members, plan.capacity);
  }
  for (Member& member : plan.members) response.responses.push_back(ResponseOf(member));
  return response;
}

Result<BatchExecuteStatementResponse> ReadAll(const Engine& engine, Plan& plan) {
  std::vector<Engine::ItemAddress> addresses;
  for (const Member& member : plan.members) {
    if (!member.error) addresses.push_back({member.table.get(), member.key->view()});
  }
  ASSIGN_OR_RETURN(std::vector<std::optional<Item>> items, engine.ReadItems(addresses));
  std::size_t next = 0;
  for (Member& member : plan.members) {
    if (member.error) continue;
    member.ran = true;
    member.item = std::move(items[next++]);
    const std::size_t bytes = member.item ? ItemSizeBytes(member.item->view()) : 0;
    member.units.table = ReadUnits(ReadBlocks(bytes), member.consistent);
    const auto& select = std::get<partiql::SelectStatement>(*member.statement);
    if (member.item && select.projection) {
      member.item = select.projection->Apply(member.item->view());
    }
  }
  return Answer(plan);
}

// Writes that are under way; the last one that is done answers.
struct Batch {
  Plan plan;
  Reply<BatchExecuteStatementResponse> reply;
  std::atomic<std::size_t> left;

  void Leave() {
    if (left.fetch_sub(1, std::memory_order_acq_rel) == 1) reply(Answer(plan));
  }
};

void WriteAll(Engine& engine, Plan&& plan, Reply<BatchExecuteStatementResponse> reply) {
  const bool wants_capacity = plan.capacity != ReturnConsumedCapacity::kNone;
  const std::size_t count = plan.members.size();
  const auto batch = std::make_shared<Batch>(std::move(plan), std::move(reply), count + 1);
  for (Member& member : batch->plan.members) {
    if (member.error) {
      batch->Leave();
      continue;
    }
    member.ran = true;
    std::optional<ItemWrite> wanted;
    if (wants_capacity) wanted = member.write->write;
    RunWrite(engine, *std::move(member.write),
             [batch, &member, wanted = std::move(wanted)](Result<WrittenStatement> written) {
               if (written) {
                 member.item = std::move(written->item);
                 member.units = std::move(written->units);
               } else {
                 if (wanted) member.failed_units = FailedUnits(*wanted, written.error());
                 member.error = std::move(written).error();
               }
               batch->Leave();
             });
  }
  batch->Leave();
}

void Execute(Engine& engine, Plan&& plan, Reply<BatchExecuteStatementResponse> reply) {
  const bool wants_capacity = plan.capacity != ReturnConsumedCapacity::kNone;
  for (Member& member : plan.members) {
    if (member.error) continue;
    Result<void> fits = PlanMember(engine, member, wants_capacity);
    if (!fits) member.error = std::move(fits).error();
  }
  if (Result<void> distinct = CheckDistinct(plan.members); !distinct) {
    return reply(std::unexpected(std::move(distinct).error()));
  }
  if (plan.is_read) return reply(ReadAll(engine, plan));
  WriteAll(engine, std::move(plan), std::move(reply));
}

}  // namespace
}  // namespace batch_execute_statement

STATOR_DEFINE_OPERATION(BatchExecuteStatement, batch_execute_statement);

}  // namespace stator
