// DeleteItem: removes one item by its key.
#include "api/items/table_fit.h"
#include "api/items/write_rules.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"

namespace stator {
namespace delete_item {
namespace {

Result<void> CheckConstraints(const DeleteItemRequest& request, Wording wording) {
  if (!request.key) wording = Wording::kClassic;
  Constraints check;
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  ConstrainTableName(check, request.table_name);
  ConstrainReturnValues(check, request.return_values, wording);
  check.Enum("returnItemCollectionMetrics", request.return_item_collection_metrics);
  ConstrainConditionalOperator(check, request.conditional_operator, wording);
  check.NotNull("key", request.key);
  ConstrainExpected(check, request.expected);
  check.Enum("returnValuesOnConditionCheckFailure",
             request.return_values_on_condition_check_failure);
  return check.Finish();
}

Result<WritePlan> Validate(DeleteItemRequest&& request, Engine& engine, Wording wording) {
  RETURN_IF_ERROR(CheckTableNameNotEmpty(request.table_name, wording));
  RETURN_IF_ERROR(CheckConstraints(request, wording));
  WritePlan plan;
  ASSIGN_OR_RETURN(plan.table_name, TableNameOf(*request.table_name, engine));
  RETURN_IF_ERROR(InEnvelope(wording, CheckConditionalParameters(request, wording)));
  RETURN_IF_ERROR(CheckValues(*request.key, wording));
  RETURN_IF_ERROR(CheckOnlyOldValues(request.return_values, wording));
  ASSIGN_OR_RETURN(plan.write.condition, LegacyConditionOf(request, wording));
  Placeholders placeholders = PlaceholdersOf(request, wording);
  RETURN_IF_ERROR(placeholders.CheckMaps());
  if (request.condition_expression) {
    ASSIGN_OR_RETURN(plan.write.condition, InEnvelope(wording, ConditionOf(request, placeholders)));
  }
  RETURN_IF_ERROR(InEnvelope(wording, placeholders.CheckUnused()));
  PlanAnswer(request, plan);
  plan.write.kind = ItemWrite::Kind::kDelete;
  plan.write.item = *std::move(request.key);
  return plan;
}

void Execute(Engine& engine, WritePlan&& plan, Reply<DeleteItemResponse> reply) {
  if (Result<void> fits = FindTableAndFit(engine, plan.table_name, plan.write); !fits) {
    return reply(std::unexpected(std::move(fits).error()));
  }
  Commit(engine, std::move(plan), std::move(reply));
}

}  // namespace
}  // namespace delete_item

STATOR_DEFINE_OPERATION(DeleteItem, delete_item);

}  // namespace stator
