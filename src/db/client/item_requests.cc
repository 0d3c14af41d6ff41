#include "client/requests.h"

namespace stator {

void WriteMembers(MemberWriter& out, const ExpectedAttribute& expected) {
  out.Member("Value", expected.value);
  out.Member("Exists", expected.exists);
  out.Member("ComparisonOperator", expected.comparison_operator);
  out.Member("AttributeValueList", expected.attribute_value_list);
}

void WriteMembers(MemberWriter& out, const LegacyCondition& condition) {
  out.Member("ComparisonOperator", condition.comparison_operator);
  if (!condition.attribute_value_list.empty()) {
    out.Member("AttributeValueList", condition.attribute_value_list);
  }
}

void WriteMembers(MemberWriter& out, const AttributeUpdate& update) {
  out.Member("Value", update.value);
  out.Member("Action", update.action);
}

void WriteMembers(MemberWriter& out, const GetItemRequest& request) {
  out.Member("TableName", request.table_name);
  out.Member("Key", request.key);
  out.Member("AttributesToGet", request.attributes_to_get);
  out.Member("ConsistentRead", request.consistent_read);
  out.Member("ReturnConsumedCapacity", request.return_consumed_capacity);
  out.Member("ProjectionExpression", request.projection_expression);
  out.Member("ExpressionAttributeNames", request.expression_attribute_names);
}

void WriteMembers(MemberWriter& out, const PutItemRequest& request) {
  out.Member("TableName", request.table_name);
  out.Member("Item", request.item);
  out.Member("Expected", request.expected);
  out.Member("ReturnValues", request.return_values);
  out.Member("ReturnConsumedCapacity", request.return_consumed_capacity);
  out.Member("ReturnItemCollectionMetrics", request.return_item_collection_metrics);
  out.Member("ConditionalOperator", request.conditional_operator);
  out.Member("ConditionExpression", request.condition_expression);
  out.Member("ExpressionAttributeNames", request.expression_attribute_names);
  out.Member("ExpressionAttributeValues", request.expression_attribute_values);
  out.Member("ReturnValuesOnConditionCheckFailure",
             request.return_values_on_condition_check_failure);
}

void WriteMembers(MemberWriter& out, const UpdateItemRequest& request) {
  out.Member("TableName", request.table_name);
  out.Member("Key", request.key);
  out.Member("AttributeUpdates", request.attribute_updates);
  out.Member("Expected", request.expected);
  out.Member("ConditionalOperator", request.conditional_operator);
  out.Member("ReturnValues", request.return_values);
  out.Member("ReturnConsumedCapacity", request.return_consumed_capacity);
  out.Member("ReturnItemCollectionMetrics", request.return_item_collection_metrics);
  out.Member("UpdateExpression", request.update_expression);
  out.Member("ConditionExpression", request.condition_expression);
  out.Member("ExpressionAttributeNames", request.expression_attribute_names);
  out.Member("ExpressionAttributeValues", request.expression_attribute_values);
  out.Member("ReturnValuesOnConditionCheckFailure",
             request.return_values_on_condition_check_failure);
}

void WriteMembers(MemberWriter& out, const DeleteItemRequest& request) {
  out.Member("TableName", request.table_name);
  out.Member("Key", request.key);
  out.Member("Expected", request.expected);
  out.Member("ConditionalOperator", request.conditional_operator);
  out.Member("ReturnValues", request.return_values);
  out.Member("ReturnConsumedCapacity", request.return_consumed_capacity);
  out.Member("ReturnItemCollectionMetrics", request.return_item_collection_metrics);
  out.Member("ConditionExpression", request.condition_expression);
  out.Member("ExpressionAttributeNames", request.expression_attribute_names);
  out.Member("ExpressionAttributeValues", request.expression_attribute_values);
  out.Member("ReturnValuesOnConditionCheckFailure",
             request.return_values_on_condition_check_failure);
}

void WriteMembers(MemberWriter& out, const QueryRequest& request) {
  out.Member("TableName", request.table_name);
  out.Member("IndexName", request.index_name);
  out.Member("Select", request.select);
  out.Member("AttributesToGet", request.attributes_to_get);
  out.Member("Limit", request.limit);
  out.Member("ConsistentRead", request.consistent_read);
  out.Member("KeyConditions", request.key_conditions);
  out.Member("QueryFilter", request.query_filter);
  out.Member("ConditionalOperator", request.conditional_operator);
  out.Member("ScanIndexForward", request.scan_index_forward);
  out.Member("ExclusiveStartKey", request.exclusive_start_key);
  out.Member("ReturnConsumedCapacity", request.return_consumed_capacity);
  out.Member("ProjectionExpression", request.projection_expression);
  out.Member("FilterExpression", request.filter_expression);
  out.Member("KeyConditionExpression", request.key_condition_expression);
  out.Member("ExpressionAttributeNames", request.expression_attribute_names);
  out.Member("ExpressionAttributeValues", request.expression_attribute_values);
}

void WriteMembers(MemberWriter& out, const ScanRequest& request) {
  out.Member("TableName", request.table_name);
  out.Member("IndexName", request.index_name);
  out.Member("AttributesToGet", request.attributes_to_get);
  out.Member("Limit", request.limit);
  out.Member("Select", request.select);
  out.Member("ScanFilter", request.scan_filter);
  out.Member("ConditionalOperator", request.conditional_operator);
  out.Member("ExclusiveStartKey", request.exclusive_start_key);
  out.Member("ReturnConsumedCapacity", request.return_consumed_capacity);
  out.Member("TotalSegments", request.total_segments);
  out.Member("Segment", request.segment);
  out.Member("ProjectionExpression", request.projection_expression);
  out.Member("FilterExpression", request.filter_expression);
  out.Member("ExpressionAttributeNames", request.expression_attribute_names);
  out.Member("ExpressionAttributeValues", request.expression_attribute_values);
  out.Member("ConsistentRead", request.consistent_read);
}

}  // namespace stator
