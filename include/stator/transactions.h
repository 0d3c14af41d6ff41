// Requests and responses of the transactions, with DynamoDB's own names.
//
//   db->TransactWriteItems({.transact_items = {{
//       {.update = TransactUpdate{.table_name = "Accounts", .key = Item{{"id", "a"}}, …}},
//       {.update = TransactUpdate{.table_name = "Accounts", .key = Item{{"id", "b"}}, …}}}}});
//
// A transaction that cannot be carried out fails with TransactionCanceled; the error's
// cancellation_reasons() has one entry per action.
#ifndef STATOR_TRANSACTIONS_H_
#define STATOR_TRANSACTIONS_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/expression.h"
#include "stator/item.h"
#include "stator/operations.h"

namespace stator {

struct TransactConditionCheck {
  std::optional<std::string> table_name;
  std::optional<Item> key;
  std::optional<std::string> condition_expression;
  std::optional<NameMap> expression_attribute_names;
  std::optional<ValueMap> expression_attribute_values;
  std::optional<Choice<ReturnValuesOnConditionCheckFailure>>
      return_values_on_condition_check_failure;
};

struct TransactPut {
  std::optional<std::string> table_name;
  std::optional<Item> item;
  std::optional<std::string> condition_expression;
  std::optional<NameMap> expression_attribute_names;
  std::optional<ValueMap> expression_attribute_values;
  std::optional<Choice<ReturnValuesOnConditionCheckFailure>>
      return_values_on_condition_check_failure;
};

struct TransactDelete {
  std::optional<std::string> table_name;
  std::optional<Item> key;
  std::optional<std::string> condition_expression;
  std::optional<NameMap> expression_attribute_names;
  std::optional<ValueMap> expression_attribute_values;
  std::optional<Choice<ReturnValuesOnConditionCheckFailure>>
      return_values_on_condition_check_failure;
};

struct TransactUpdate {
  std::optional<std::string> table_name;
  std::optional<Item> key;
  std::optional<std::string> update_expression;
  std::optional<std::string> condition_expression;
  std::optional<NameMap> expression_attribute_names;
  std::optional<ValueMap> expression_attribute_values;
  std::optional<Choice<ReturnValuesOnConditionCheckFailure>>
      return_values_on_condition_check_failure;
};

// Exactly one of the four.
struct TransactWriteItem {
  std::optional<TransactConditionCheck> condition_check;
  std::optional<TransactPut> put;
  std::optional<TransactDelete> delete_item;
  std::optional<TransactUpdate> update;
};

struct TransactWriteItemsRequest {
  std::optional<std::vector<TransactWriteItem>> transact_items;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
  std::optional<Choice<ReturnItemCollectionMetrics>> return_item_collection_metrics;
  // Within ten minutes an equal request with the same token changes nothing and succeeds.
  std::optional<std::string> client_request_token;
};
struct TransactWriteItemsResponse {
  std::optional<std::vector<ConsumedCapacity>> consumed_capacity;
  std::optional<std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>>>
      item_collection_metrics;
};

struct TransactGet {
  std::optional<std::string> table_name;
  std::optional<Item> key;
  std::optional<std::string> projection_expression;
  std::optional<NameMap> expression_attribute_names;
};
struct TransactGetItem {
  std::optional<TransactGet> get;
};

struct TransactGetItemsRequest {
  std::optional<std::vector<TransactGetItem>> transact_items;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
};
struct TransactGetItemsResponse {
  // One per action, all as of one moment; absent where there is nothing to show.
  std::vector<std::optional<Item>> responses;
  std::optional<std::vector<ConsumedCapacity>> consumed_capacity;
};

}  // namespace stator

#endif  // STATOR_TRANSACTIONS_H_
