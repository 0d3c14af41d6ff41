// TransactGetItems: reads up to 100 items of any tables as of one moment.
#include <fmt/format.h>

#include "api/consumed_capacity.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"
#include "api/transactions/transaction_rules.h"
#include "base/try.h"
#include "value/value_problem.h"

namespace stator {
namespace transact_get_items {
namespace {

struct Plan {
  std::vector<TransactionRead> reads;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

Result<void> CheckConstraints(const TransactGetItemsRequest& request) {
  Constraints check;
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  std::optional<std::size_t> count;
  if (request.transact_items) count = request.transact_items->size();
  ConstrainActions(check, "transactItems", count);
  for (std::size_t i = 0; i < count.value_or(0); ++i) {
    const std::string path = fmt::format("transactItems.{}.member.get", i + 1);
    const std::optional<TransactGet>& get = (*request.transact_items)[i].get;
    check.NotNull(path, get);
    if (!get) continue;
    ConstrainTableName(check, get->table_name, path + ".tableName");
    check.NotNull(path + ".key", get->key);
  }
  return check.Finish();
}

Result<TransactionRead> PlanGet(TransactGet&& get, Engine& engine, Wording wording) {
  TransactionRead plan;
  ASSIGN_OR_RETURN(plan.table_name, TableNameOf(*get.table_name, engine));
  // Expressions are looked at before the depth of a key.
  const ValueProblem* problem = get.key->problem();
  if (problem && problem->kind != ValueProblem::Kind::kTooDeep) {
    RETURN_IF_ERROR(CheckValues(*get.key, wording));
  }
  const NameMap* names =
      get.expression_attribute_names ? &*get.expression_attribute_names : nullptr;
  Placeholders placeholders(names, nullptr, wording);
  RETURN_IF_ERROR(placeholders.CheckMaps());
  if (get.projection_expression) {
    ASSIGN_OR_RETURN(plan.projection, Projection::Parse(*get.projection_expression, placeholders));
    RETURN_IF_ERROR(placeholders.CheckUnused());
  }
  RETURN_IF_ERROR(CheckValues(*get.key, wording));
  plan.table_reference = *std::move(get.table_name);
  plan.key = *std::move(get.key);
  return plan;
}

Result<Plan> Validate(TransactGetItemsRequest&& request, Engine& engine, Wording wording) {
  RETURN_IF_ERROR(CheckConstraints(request));
  Plan plan{.capacity = CapacityMode(request.return_consumed_capacity)};
  for (TransactGetItem& item : *request.transact_items) {
    ASSIGN_OR_RETURN(TransactionRead read, PlanGet(*std::move(item.get), engine, wording));
    plan.reads.push_back(std::move(read));
  }
  return plan;
}

Result<TransactGetItemsResponse> Execute(Engine& engine, Plan plan) {
  for (TransactionRead& read : plan.reads) {
    ASSIGN_OR_RETURN(read.table, engine.FindTable(read.table_name));
  }
  ASSIGN_OR_RETURN(TransactionItems answer,
                   ReadTransaction(engine, std::move(plan.reads), plan.capacity));
  return TransactGetItemsResponse{.responses = std::move(answer.items),
                                  .consumed_capacity = std::move(answer.consumed_capacity)};
}

}  // namespace
}  // namespace transact_get_items

STATOR_DEFINE_OPERATION(TransactGetItems, transact_get_items);

}  // namespace stator
