// UpdateItem: changes attributes of one item, creating it if it does not exist.
#include "api/items/table_fit.h"
#include "api/items/write_rules.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"

namespace stator {
namespace update_item {
namespace {

Result<void> CheckConstraints(const UpdateItemRequest& request, Wording wording) {
  if (!request.key) wording = Wording::kClassic;
  if (IsCurrent(wording)) {
    // UpdateItem reports a bad ReturnValues alone.
    Constraints alone;
    ConstrainReturnValues(alone, request.return_values, wording);
    RETURN_IF_ERROR(alone.Finish());
  }
  Constraints check;
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  ConstrainTableName(check, request.table_name);
  check.Enum("returnItemCollectionMetrics", request.return_item_collection_metrics);
  ConstrainReturnValues(check, request.return_values, wording);
  ConstrainConditionalOperator(check, request.conditional_operator, wording);
  check.NotNull("key", request.key);
  ConstrainExpected(check, request.expected);
  if (request.attribute_updates) {
    for (const auto& [name, update] : *request.attribute_updates) {
      check.Enum("attributeUpdates." + name + ".member.action", update.action);
    }
  }
  check.Enum("returnValuesOnConditionCheckFailure",
             request.return_values_on_condition_check_failure);
  return check.Finish();
}

Result<void> CheckParameters(const UpdateItemRequest& request, Wording wording) {
  const bool has_expression =
      request.update_expression.has_value() || request.condition_expression.has_value();
  RETURN_IF_ERROR(
      CheckNotMixed({{"AttributeUpdates", request.attribute_updates.has_value()},
                     {"Expected", request.expected.has_value()},
                     {"ConditionalOperator", request.conditional_operator.has_value()}},
                    {{"UpdateExpression", request.update_expression.has_value()},
                     {"ConditionExpression", request.condition_expression.has_value()}}));
  RETURN_IF_ERROR(
      CheckNamesHaveExpression(request.expression_attribute_names.has_value(), has_expression));
  return CheckValuesHaveExpression(request.expression_attribute_values.has_value(), has_expression,
                                   wording, {"UpdateExpression", "ConditionExpression"});
}

Result<WritePlan> Validate(UpdateItemRequest&& request, Engine& engine, Wording wording) {
  RETURN_IF_ERROR(CheckTableNameNotEmpty(request.table_name, wording));
  RETURN_IF_ERROR(CheckConstraints(request, wording));
  WritePlan plan;
  ASSIGN_OR_RETURN(plan.table_name, TableNameOf(*request.table_name, engine));
  RETURN_IF_ERROR(InEnvelope(wording, CheckParameters(request, wording)));
  RETURN_IF_ERROR(CheckValues(*request.key, wording));
  if (request.attribute_updates && !request.attribute_updates->empty()) {
    RETURN_IF_ERROR(CheckUpdateValues(*request.attribute_updates, wording));
    ASSIGN_OR_RETURN(plan.write.update,
                     Update::FromAttributeUpdates(*request.attribute_updates, wording));
  }
  ASSIGN_OR_RETURN(plan.write.condition, LegacyConditionOf(request, wording));
  Placeholders placeholders = PlaceholdersOf(request, wording);
  RETURN_IF_ERROR(placeholders.CheckMaps());
  if (request.update_expression) {
    ASSIGN_OR_RETURN(plan.write.update,
                     InEnvelope(wording, Update::Parse(*request.update_expression, placeholders)));
  }
  if (request.condition_expression) {
    ASSIGN_OR_RETURN(plan.write.condition, InEnvelope(wording, ConditionOf(request, placeholders)));
  }
  RETURN_IF_ERROR(InEnvelope(wording, placeholders.CheckUnused()));
  PlanAnswer(request, plan);
  plan.write.kind = ItemWrite::Kind::kUpdate;
  plan.write.item = *std::move(request.key);
  return plan;
}

void Execute(Engine& engine, WritePlan&& plan, Reply<UpdateItemResponse> reply) {
  if (Result<void> fits = FindTableAndFit(engine, plan.table_name, plan.write); !fits) {
    return reply(std::unexpected(std::move(fits).error()));
  }
  Commit(engine, std::move(plan), std::move(reply));
}

}  // namespace
}  // namespace update_item

STATOR_DEFINE_OPERATION(UpdateItem, update_item);

}  // namespace stator
