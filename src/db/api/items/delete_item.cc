// DeleteItem: removes one item by its key.
#include "api/items/table_fit.h"
#include "api/items/write_rules.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"

namespace stator {
namespace delete_item {
namespace {

Result<DeleteItemRequest> Decode(JsonValue body, Wording wording) {
  MemberReader in(body);
  DeleteItemRequest request;
  request.table_name = in.String("TableName");
  request.key = in.Item("Key", wording);
  request.expected = in.Expected("Expected", wording);
  request.conditional_operator = in.Enum<ConditionalOperator>("ConditionalOperator");
  request.return_values = in.Enum<ReturnValues>("ReturnValues");
  request.return_consumed_capacity = in.Enum<ReturnConsumedCapacity>("ReturnConsumedCapacity");
  request.return_item_collection_metrics =
      in.Enum<ReturnItemCollectionMetrics>("ReturnItemCollectionMetrics");
  request.condition_expression = in.String("ConditionExpression");
  request.expression_attribute_names = in.Names("ExpressionAttributeNames");
  request.expression_attribute_values = in.Values("ExpressionAttributeValues", wording);
  request.return_values_on_condition_check_failure =
      in.Enum<ReturnValuesOnConditionCheckFailure>("ReturnValuesOnConditionCheckFailure");
  return in.Finish(std::move(request));
}

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

constinit const Operation<DeleteItemRequest, DeleteItemResponse> kDeleteItem =
    DefineOperation<DeleteItemRequest, DeleteItemResponse, delete_item::Decode,
                    delete_item::Validate, delete_item::Execute, EncodeWriteResponse>();

}  // namespace stator
