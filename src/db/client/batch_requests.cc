#include "client/requests.h"

namespace stator {
namespace {

// {"Item": …} or {"Key": …}: a structure around one item.
struct Holder {
  std::string_view name;
  const Item& item;
};

}  // namespace

static void WriteMembers(MemberWriter& out, const Holder& holder) {
  out.Member(holder.name, holder.item);
}

void WriteMembers(MemberWriter& out, const KeysAndAttributes& keys) {
  out.Member("Keys", keys.keys);
  out.Member("AttributesToGet", keys.attributes_to_get);
  out.Member("ConsistentRead", keys.consistent_read);
  out.Member("ProjectionExpression", keys.projection_expression);
  out.Member("ExpressionAttributeNames", keys.expression_attribute_names);
}

void WriteMembers(MemberWriter& out, const WriteRequest& write) {
  if (write.put_item) out.Member("PutRequest", Holder{"Item", *write.put_item});
  if (write.delete_key) out.Member("DeleteRequest", Holder{"Key", *write.delete_key});
}

void WriteMembers(MemberWriter& out, const BatchGetItemRequest& request) {
  out.Member("RequestItems", request.request_items);
  out.Member("ReturnConsumedCapacity", request.return_consumed_capacity);
}

void WriteMembers(MemberWriter& out, const BatchWriteItemRequest& request) {
  out.Member("RequestItems", request.request_items);
  out.Member("ReturnConsumedCapacity", request.return_consumed_capacity);
  out.Member("ReturnItemCollectionMetrics", request.return_item_collection_metrics);
}

void WriteMembers(MemberWriter& out, const TransactConditionCheck& check) {
  out.Member("TableName", check.table_name);
  out.Member("Key", check.key);
  out.Member("ConditionExpression", check.condition_expression);
  out.Member("ExpressionAttributeNames", check.expression_attribute_names);
  out.Member("ExpressionAttributeValues", check.expression_attribute_values);
  out.Member("ReturnValuesOnConditionCheckFailure", check.return_values_on_condition_check_failure);
}

void WriteMembers(MemberWriter& out, const TransactPut& put) {
  out.Member("TableName", put.table_name);
  out.Member("Item", put.item);
  out.Member("ConditionExpression", put.condition_expression);
  out.Member("ExpressionAttributeNames", put.expression_attribute_names);
  out.Member("ExpressionAttributeValues", put.expression_attribute_values);
  out.Member("ReturnValuesOnConditionCheckFailure", put.return_values_on_condition_check_failure);
}

void WriteMembers(MemberWriter& out, const TransactDelete& deletion) {
  out.Member("TableName", deletion.table_name);
  out.Member("Key", deletion.key);
  out.Member("ConditionExpression", deletion.condition_expression);
  out.Member("ExpressionAttributeNames", deletion.expression_attribute_names);
  out.Member("ExpressionAttributeValues", deletion.expression_attribute_values);
  out.Member("ReturnValuesOnConditionCheckFailure",
             deletion.return_values_on_condition_check_failure);
}

void WriteMembers(MemberWriter& out, const TransactUpdate& update) {
  out.Member("TableName", update.table_name);
  out.Member("Key", update.key);
  out.Member("UpdateExpression", update.update_expression);
  out.Member("ConditionExpression", update.condition_expression);
  out.Member("ExpressionAttributeNames", update.expression_attribute_names);
  out.Member("ExpressionAttributeValues", update.expression_attribute_values);
  out.Member("ReturnValuesOnConditionCheckFailure",
             update.return_values_on_condition_check_failure);
}

void WriteMembers(MemberWriter& out, const TransactWriteItem& item) {
  out.Member("ConditionCheck", item.condition_check);
  out.Member("Put", item.put);
  out.Member("Delete", item.delete_item);
  out.Member("Update", item.update);
}

void WriteMembers(MemberWriter& out, const TransactGet& get) {
  out.Member("TableName", get.table_name);
  out.Member("Key", get.key);
  out.Member("ProjectionExpression", get.projection_expression);
  out.Member("ExpressionAttributeNames", get.expression_attribute_names);
}

void WriteMembers(MemberWriter& out, const TransactGetItem& item) { out.Member("Get", item.get); }

void WriteMembers(MemberWriter& out, const TransactWriteItemsRequest& request) {
  out.Member("TransactItems", request.transact_items);
  out.Member("ReturnConsumedCapacity", request.return_consumed_capacity);
  out.Member("ReturnItemCollectionMetrics", request.return_item_collection_metrics);
  out.Member("ClientRequestToken", request.client_request_token);
}

void WriteMembers(MemberWriter& out, const TransactGetItemsRequest& request) {
  out.Member("TransactItems", request.transact_items);
  out.Member("ReturnConsumedCapacity", request.return_consumed_capacity);
}

}  // namespace stator
