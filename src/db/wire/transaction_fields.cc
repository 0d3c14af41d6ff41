// The transactions and the operations with PartiQL statements on the wire.
#include "stator/partiql.h"
#include "stator/transactions.h"
#include "wire/capacity_fields.h"
#include "wire/field_list.h"

namespace stator {

// Members that all four actions spell alike.
template <class Visitor, class Action>
void ConditionFields(Visitor& visit, Action& action) {
  visit("TableName", action.table_name);
  visit("ConditionExpression", action.condition_expression);
  visit("ExpressionAttributeNames", action.expression_attribute_names);
  visit("ExpressionAttributeValues", action.expression_attribute_values);
  visit("ReturnValuesOnConditionCheckFailure", action.return_values_on_condition_check_failure);
}

template <class Visitor>
void Fields(Visitor& visit, TransactConditionCheck& check) {
  visit("Key", check.key);
  ConditionFields(visit, check);
}

template <class Visitor>
void Fields(Visitor& visit, TransactPut& put) {
  visit("Item", put.item);
  ConditionFields(visit, put);
}

template <class Visitor>
void Fields(Visitor& visit, TransactDelete& deletion) {
  visit("Key", deletion.key);
  ConditionFields(visit, deletion);
}

template <class Visitor>
void Fields(Visitor& visit, TransactUpdate& update) {
  visit("Key", update.key);
  visit("UpdateExpression", update.update_expression);
  ConditionFields(visit, update);
}

template <class Visitor>
void Fields(Visitor& visit, TransactWriteItem& item) {
  visit("ConditionCheck", item.condition_check);
  visit("Put", item.put);
  visit("Delete", item.delete_item);
  visit("Update", item.update);
}

template <class Visitor>
void Fields(Visitor& visit, TransactWriteItemsRequest& request) {
  visit("TransactItems", "TransactWriteItem", request.transact_items);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
  visit("ReturnItemCollectionMetrics", request.return_item_collection_metrics);
  visit("ClientRequestToken", request.client_request_token);
}

template <class Visitor>
void Fields(Visitor& visit, TransactWriteItemsResponse& response) {
  visit("ConsumedCapacity", "ConsumedCapacity", response.consumed_capacity);
  visit("ItemCollectionMetrics", "ItemCollectionMetrics", response.item_collection_metrics);
}

template <class Visitor>
void Fields(Visitor& visit, TransactGet& get) {
  visit("Key", get.key);
  visit("TableName", get.table_name);
  visit("ProjectionExpression", get.projection_expression);
  visit("ExpressionAttributeNames", get.expression_attribute_names);
}

template <class Visitor>
void Fields(Visitor& visit, TransactGetItem& item) {
  visit("Get", item.get);
}

template <class Visitor>
void Fields(Visitor& visit, TransactGetItemsRequest& request) {
  visit("TransactItems", "TransactGetItem", request.transact_items);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
}

// [{"Item": …}, {}, …]
template <class Visitor>
void ItemResponses(Visitor& visit, std::vector<std::optional<Item>>& responses) {
  visit.Each("Responses", "ItemResponse", responses,
             [](auto& response, std::optional<Item>& item) { response("Item", item); });
}

template <class Visitor>
void Fields(Visitor& visit, TransactGetItemsResponse& response) {
  ItemResponses(visit, response.responses);
  visit("ConsumedCapacity", "ConsumedCapacity", response.consumed_capacity);
}

template <class Visitor>
void Fields(Visitor& visit, ExecuteStatementRequest& request) {
  visit("Statement", request.statement);
  visit("Parameters", request.parameters);
  visit("ConsistentRead", request.consistent_read);
  visit("NextToken", request.next_token);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
  visit("Limit", request.limit);
  visit("ReturnValuesOnConditionCheckFailure", request.return_values_on_condition_check_failure);
}

template <class Visitor>
void Fields(Visitor& visit, ExecuteStatementResponse& response) {
  visit("Items", response.items);
  visit("NextToken", response.next_token);
  visit("LastEvaluatedKey", response.last_evaluated_key);
  visit("ConsumedCapacity", response.consumed_capacity);
}

template <class Visitor>
void Fields(Visitor& visit, BatchStatementRequest& request) {
  visit("Statement", request.statement);
  visit("Parameters", request.parameters);
  visit("ConsistentRead", request.consistent_read);
  visit("ReturnValuesOnConditionCheckFailure", request.return_values_on_condition_check_failure);
}

template <class Visitor>
void Fields(Visitor& visit, BatchExecuteStatementRequest& request) {
  visit("Statements", "BatchStatementRequest", request.statements);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
}

template <class Visitor>
void Fields(Visitor& visit, BatchStatementError& error) {
  visit("Code", error.code);
  visit("Message", error.message);
}

template <class Visitor>
void Fields(Visitor& visit, BatchStatementResponse& response) {
  visit("Error", "BatchStatementError", response.error);
  visit("TableName", response.table_name);
  visit("Item", response.item);
}

template <class Visitor>
void Fields(Visitor& visit, BatchExecuteStatementResponse& response) {
  visit("Responses", "BatchStatementResponse", response.responses);
  visit("ConsumedCapacity", "ConsumedCapacity", response.consumed_capacity);
}

template <class Visitor>
void Fields(Visitor& visit, ParameterizedStatement& statement) {
  visit("Statement", statement.statement);
  visit("Parameters", statement.parameters);
  visit("ReturnValuesOnConditionCheckFailure", statement.return_values_on_condition_check_failure);
}

template <class Visitor>
void Fields(Visitor& visit, ExecuteTransactionRequest& request) {
  visit("TransactStatements", "ParameterizedStatement", request.transact_statements);
  visit("ClientRequestToken", request.client_request_token);
  visit("ReturnConsumedCapacity", request.return_consumed_capacity);
}

template <class Visitor>
void Fields(Visitor& visit, ExecuteTransactionResponse& response) {
  ItemResponses(visit, response.responses);
  visit("ConsumedCapacity", "ConsumedCapacity", response.consumed_capacity);
}

STATOR_WIRE_OPERATION(TransactWriteItems);
STATOR_WIRE_OPERATION(TransactGetItems);
STATOR_WIRE_OPERATION(ExecuteStatement);
STATOR_WIRE_OPERATION(BatchExecuteStatement);
STATOR_WIRE_OPERATION(ExecuteTransaction);

}  // namespace stator
