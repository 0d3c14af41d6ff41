// GetItem: reads one item by its primary key.
#include "api/consumed_capacity.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "capacity/units.h"
#include "expr/projection.h"
#include "value/item_json.h"
#include "value/size.h"

namespace stator {
namespace get_item {
namespace {

struct Plan {
  std::string table_reference;  // as sent
  std::string table_name;
  Item key;
  std::optional<Projection> projection;
  bool consistent = false;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

Result<void> CheckConstraints(const GetItemRequest& request) {
  Constraints check;
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  ConstrainAttributesToGet(check, "attributesToGet", request.attributes_to_get);
  ConstrainTableName(check, request.table_name);
  check.NotNull("key", request.key);
  return check.Finish();
}

Result<Plan> Validate(GetItemRequest&& request, Engine& engine, Wording wording) {
  RETURN_IF_ERROR(CheckTableNameNotEmpty(request.table_name, wording));
  RETURN_IF_ERROR(CheckConstraints(request));
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, TableNameOf(*request.table_name, engine));
  RETURN_IF_ERROR(
      CheckNotMixed({{"AttributesToGet", request.attributes_to_get.has_value()}},
                    {{"ProjectionExpression", request.projection_expression.has_value()}}));
  RETURN_IF_ERROR(CheckNamesHaveExpression(request.expression_attribute_names.has_value(),
                                           request.projection_expression.has_value()));
  RETURN_IF_ERROR(CheckValues(*request.key, wording));
  ASSIGN_OR_RETURN(plan.projection, ProjectionOf(request, wording));
  plan.table_reference = *std::move(request.table_name);
  plan.key = *std::move(request.key);
  plan.consistent = request.consistent_read.value_or(false);
  plan.capacity = CapacityMode(request.return_consumed_capacity);
  return plan;
}

Result<GetItemResponse> Execute(Engine& engine, Plan plan) {
  ASSIGN_OR_RETURN(const TablePtr table, engine.FindTable(plan.table_name));
  RETURN_IF_ERROR(CheckKey(table->keys, plan.key.view()));
  if (plan.projection) RETURN_IF_ERROR(CheckNoNestedKeys(*table, plan.projection->paths()));

  GetItemResponse response;
  ASSIGN_OR_RETURN(response.item, engine.ReadItem(*table, plan.key.view()));
  if (plan.capacity != ReturnConsumedCapacity::kNone) {
    // The whole item is charged, whatever the projection.
    const std::size_t bytes = response.item ? ItemSizeBytes(response.item->view()) : 0;
    response.consumed_capacity =
        TableReadCapacity(std::move(plan.table_reference),
                          ReadUnits(ReadBlocks(bytes), plan.consistent), plan.capacity);
  }
  if (response.item && plan.projection) {
    response.item = plan.projection->Apply(response.item->view());
  }
  return response;
}

}  // namespace
}  // namespace get_item

STATOR_DEFINE_OPERATION(GetItem, get_item);

}  // namespace stator
