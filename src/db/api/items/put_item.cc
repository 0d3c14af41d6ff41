// PutItem: writes one item, replacing the one with the same key.
#include "api/items/table_fit.h"
#include "api/items/write_rules.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"

namespace stator {
namespace put_item {
namespace {

Result<PutItemRequest> Decode(JsonValue body, Wording wording) {
  MemberReader in(body);
  PutItemRequest request;
  request.table_name = in.String("TableName");
  request.item = in.Item("Item", wording);
  request.expected = in.Expected("Expected", wording);
  request.return_values = in.Enum<ReturnValues>("ReturnValues");
  request.return_consumed_capacity = in.Enum<ReturnConsumedCapacity>("ReturnConsumedCapacity");
  request.return_item_collection_metrics =
      in.Enum<ReturnItemCollectionMetrics>("ReturnItemCollectionMetrics");
  request.conditional_operator = in.Enum<ConditionalOperator>("ConditionalOperator");
  request.condition_expression = in.String("ConditionExpression");
  request.expression_attribute_names = in.Names("ExpressionAttributeNames");
  request.expression_attribute_values = in.Values("ExpressionAttributeValues", wording);
  request.return_values_on_condition_check_failure =
      in.Enum<ReturnValuesOnConditionCheckFailure>("ReturnValuesOnConditionCheckFailure");
  return in.Finish(std::move(request));
}

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

constinit const Operation<PutItemRequest, PutItemResponse> kPutItem =
    DefineOperation<PutItemRequest, PutItemResponse, put_item::Decode, put_item::Validate,
                    put_item::Execute, EncodeWriteResponse>();

}  // namespace stator
