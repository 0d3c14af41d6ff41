// The item operations on the wire: single items, pages and batches.
#include <algorithm>

#include "stator/operations.h"
#include "wire/capacity_fields.h"
#include "wire/field_list.h"

namespace stator {

template <class Visitor>
void Fields(Visitor& visit, ExpectedAttribute& expected) {
  visit("Value", expected.value);
  visit("Exists", expected.exists);
  visit("ComparisonOperator", expected.comparison_operator);
  visit("AttributeValueList", expected.attribute_value_list);
}

template <class Visitor>
void Fields(Visitor& visit, LegacyCondition& condition) {
  if (visit.When(!condition.attribute_value_list.empty())) {
    visit("AttributeValueList", condition.attribute_value_list);
  }
  visit("ComparisonOperator", condition.comparison_operator);
}

template <class Visitor>
void Fields(Visitor& visit, AttributeUpdate& update) {
  visit("Value", update.value);
  visit("Action", update.action);
}

template <class Visitor>
void Fields(Visitor& visit, GetItemRequest& request) {
  visit("TableName", request.table_name);
  visit("Key", request.key);
  visit("AttributesToGet", request.attributes_to_get);
  visit("ConsistentRead", request.consistent_read);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
  visit("ProjectionExpression", request.projection_expression);
  visit("ExpressionAttributeNames", request.expression_attribute_names);
}

template <class Visitor>
void Fields(Visitor& visit, GetItemResponse& response) {
  visit("Item", response.item);
  visit("ConsumedCapacity", response.consumed_capacity);
}

template <class Visitor>
void Fields(Visitor& visit, PutItemRequest& request) {
  visit("TableName", request.table_name);
  visit("Item", request.item);
  visit("Expected", "ExpectedAttributeValue", request.expected);
  visit("ReturnValues", request.return_values);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
  visit("ReturnItemCollectionMetrics", request.return_item_collection_metrics);
  visit("ConditionalOperator", request.conditional_operator);
  visit("ConditionExpression", request.condition_expression);
  visit("ExpressionAttributeNames", request.expression_attribute_names);
  visit("ExpressionAttributeValues", request.expression_attribute_values);
  visit("ReturnValuesOnConditionCheckFailure", request.return_values_on_condition_check_failure);
}

template <class Visitor>
void Fields(Visitor& visit, UpdateItemRequest& request) {
  visit("TableName", request.table_name);
  visit("Key", request.key);
  visit("AttributeUpdates", "AttributeValueUpdate", request.attribute_updates);
  visit("Expected", "ExpectedAttributeValue", request.expected);
  visit("ConditionalOperator", request.conditional_operator);
  visit("ReturnValues", request.return_values);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
  visit("ReturnItemCollectionMetrics", request.return_item_collection_metrics);
  visit("UpdateExpression", request.update_expression);
  visit("ConditionExpression", request.condition_expression);
  visit("ExpressionAttributeNames", request.expression_attribute_names);
  visit("ExpressionAttributeValues", request.expression_attribute_values);
  visit("ReturnValuesOnConditionCheckFailure", request.return_values_on_condition_check_failure);
}

template <class Visitor>
void Fields(Visitor& visit, DeleteItemRequest& request) {
  visit("TableName", request.table_name);
  visit("Key", request.key);
  visit("Expected", "ExpectedAttributeValue", request.expected);
  visit("ConditionalOperator", request.conditional_operator);
  visit("ReturnValues", request.return_values);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
  visit("ReturnItemCollectionMetrics", request.return_item_collection_metrics);
  visit("ConditionExpression", request.condition_expression);
  visit("ExpressionAttributeNames", request.expression_attribute_names);
  visit("ExpressionAttributeValues", request.expression_attribute_values);
  visit("ReturnValuesOnConditionCheckFailure", request.return_values_on_condition_check_failure);
}

template <class Visitor>
void Fields(Visitor& visit, WriteItemResponse& response) {
  visit("Attributes", response.attributes);
  visit("ConsumedCapacity", response.consumed_capacity);
  visit("ItemCollectionMetrics", response.item_collection_metrics);
}

template <class Visitor>
void Fields(Visitor& visit, QueryRequest& request) {
  visit("TableName", request.table_name);
  visit("IndexName", request.index_name);
  visit("Select", request.select);
  visit("AttributesToGet", request.attributes_to_get);
  visit("Limit", request.limit);
  visit("ConsistentRead", request.consistent_read);
  visit("KeyConditions", "Condition", request.key_conditions);
  visit("QueryFilter", "Condition", request.query_filter);
  visit("ConditionalOperator", request.conditional_operator);
  visit("ScanIndexForward", request.scan_index_forward);
  visit("ExclusiveStartKey", request.exclusive_start_key);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
  visit("ProjectionExpression", request.projection_expression);
  visit("FilterExpression", request.filter_expression);
  visit("KeyConditionExpression", request.key_condition_expression);
  visit("ExpressionAttributeNames", request.expression_attribute_names);
  visit("ExpressionAttributeValues", request.expression_attribute_values);
}

template <class Visitor>
void Fields(Visitor& visit, ScanRequest& request) {
  visit("TableName", request.table_name);
  visit("IndexName", request.index_name);
  visit("AttributesToGet", request.attributes_to_get);
  visit("Limit", request.limit);
  visit("Select", request.select);
  visit("ScanFilter", "Condition", request.scan_filter);
  visit("ConditionalOperator", request.conditional_operator);
  visit("ExclusiveStartKey", request.exclusive_start_key);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
  visit("TotalSegments", request.total_segments);
  visit("Segment", request.segment);
  visit("ProjectionExpression", request.projection_expression);
  visit("FilterExpression", request.filter_expression);
  visit("ExpressionAttributeNames", request.expression_attribute_names);
  visit("ExpressionAttributeValues", request.expression_attribute_values);
  visit("ConsistentRead", request.consistent_read);
}

template <class Visitor>
void Fields(Visitor& visit, PageResponse& response) {
  visit("Items", response.items);
  visit("Count", response.count);
  visit("ScannedCount", response.scanned_count);
  visit("LastEvaluatedKey", response.last_evaluated_key);
  visit("ConsumedCapacity", response.consumed_capacity);
}

template <class Visitor>
void Fields(Visitor& visit, KeysAndAttributes& table) {
  visit("Keys", table.keys);
  visit("AttributesToGet", table.attributes_to_get);
  visit("ConsistentRead", table.consistent_read);
  visit("ProjectionExpression", table.projection_expression);
  visit("ExpressionAttributeNames", table.expression_attribute_names);
}

template <class Visitor>
void Fields(Visitor& visit, BatchGetItemRequest& request) {
  visit("RequestItems", "KeysAndAttributes", request.request_items);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
}

template <class Visitor>
void Fields(Visitor& visit, BatchGetItemResponse& response) {
  visit("Responses", response.responses);
  visit("UnprocessedKeys", "KeysAndAttributes", response.unprocessed_keys);
  visit("ConsumedCapacity", "ConsumedCapacity", response.consumed_capacity);
}

template <class Visitor>
void Fields(Visitor& visit, WriteRequest& write) {
  if (visit.When(write.delete_key.has_value())) {
    visit.Group("DeleteRequest", [&](Visitor& request) { request("Key", write.delete_key); });
  }
  if (visit.When(write.put_item.has_value())) {
    visit.Group("PutRequest", [&](Visitor& request) { request("Item", write.put_item); });
  }
}

template <class Visitor>
void Fields(Visitor& visit, BatchWriteItemRequest& request) {
  visit("RequestItems", "WriteRequest", request.request_items);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
  visit("ReturnItemCollectionMetrics", request.return_item_collection_metrics);
}

template <class Visitor>
void Fields(Visitor& visit, BatchWriteItemResponse& response) {
  visit("UnprocessedItems", "WriteRequest", response.unprocessed_items);
  // What comes back is sent again, so it has to be what was sent.
  for (const auto& [table, writes] : response.unprocessed_items) {
    visit.Check(std::ranges::all_of(writes,
                                    [](const WriteRequest& write) {
                                      return write.put_item.has_value() !=
                                             write.delete_key.has_value();
                                    }),
                "a write is either a put or a delete");
  }
  visit("ItemCollectionMetrics", "ItemCollectionMetrics", response.item_collection_metrics);
  visit("ConsumedCapacity", "ConsumedCapacity", response.consumed_capacity);
}

STATOR_WIRE_OPERATION(GetItem);
STATOR_WIRE_REQUEST(PutItemRequest);
STATOR_WIRE_REQUEST(UpdateItemRequest);
STATOR_WIRE_REQUEST(DeleteItemRequest);
STATOR_WIRE_RESPONSE(WriteItemResponse);
STATOR_WIRE_REQUEST(QueryRequest);
STATOR_WIRE_REQUEST(ScanRequest);
STATOR_WIRE_RESPONSE(PageResponse);
STATOR_WIRE_OPERATION(BatchGetItem);
STATOR_WIRE_OPERATION(BatchWriteItem);

}  // namespace stator
