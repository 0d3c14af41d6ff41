// PutItem: writes one item, replacing the one with the same key.
#include "api/items/table_fit.h"
#include "api/items/write_rules.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"

namespace stator {
namespace put_item {
namespace {

Result<void> CheckConstraints(const PutItemRequest& request, Wording wording) {
  // A missing required member brings back the classic wording for the whole list.
  if (!request.item) wording = Wording::kClassic;
  Constraints check;
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  ConstrainTableName(check, request.table_name);
  check.NotNull("item", request.item);
  ConstrainConditionalOperator(check, request.conditional_operator, wording);
  ConstrainExpected(check, request.expected);
  ConstrainReturnValues(check, request.return_values, wording);
  check.Enum("returnItemCollectionMetrics", request.return_item_collection_metrics);
  check.Enum("returnValuesOnConditionCheckFailure",
             request.return_values_on_condition_check_failure);
  return check.Finish();
}

Result<WritePlan> Validate(PutItemRequest&& request, Engine& engine, Wording wording) {
  RETURN_IF_ERROR(CheckTableNameNotEmpty(request.table_name, wording));
  RETURN_IF_ERROR(CheckConstraints(request, wording));
  WritePlan plan;
  ASSIGN_OR_RETURN(plan.table_name, TableNameOf(*request.table_name, engine));
  RETURN_IF_ERROR(InEnvelope(wording, CheckConditionalParameters(request, wording)));
  RETURN_IF_ERROR(CheckValues(*request.item, wording));
  RETURN_IF_ERROR(CheckOnlyOldValues(request.return_values, wording));
  ASSIGN_OR_RETURN(plan.write.condition, LegacyConditionOf(request, wording));
  Placeholders placeholders = PlaceholdersOf(request, wording);
  RETURN_IF_ERROR(placeholders.CheckMaps());
  if (request.condition_expression) {
    ASSIGN_OR_RETURN(plan.write.condition, InEnvelope(wording, ConditionOf(request, placeholders)));
  }
  RETURN_IF_ERROR(InEnvelope(wording, placeholders.CheckUnused()));
  PlanAnswer(request, plan);
  plan.write.kind = ItemWrite::Kind::kPut;
  plan.write.item = *std::move(request.item);
  return plan;
}

void Execute(Engine& engine, WritePlan&& plan, Reply<PutItemResponse> reply) {
  if (Result<void> fits = FindTableAndFit(engine, plan.table_name, plan.write); !fits) {
    return reply(std::unexpected(std::move(fits).error()));
  }
  Commit(engine, std::move(plan), std::move(reply));
}

}  // namespace
}  // namespace put_item

STATOR_DEFINE_OPERATION(PutItem, put_item);

}  // namespace stator
