// Requests and responses of the item operations, with DynamoDB's own names.
//
// A member that DynamoDB lets you leave out is optional; nothing is filled in on the way, so an
// operation answers for exactly what was sent.
//
//   db->PutItem({.table_name = "Music", .item = Item{{"Artist", "Acme"}, {"Year", 2026}}});
#ifndef STATOR_OPERATIONS_H_
#define STATOR_OPERATIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/expression.h"
#include "stator/item.h"

namespace stator {

enum class ReturnValues : std::uint8_t { kNone, kAllOld, kUpdatedOld, kAllNew, kUpdatedNew };
enum class ReturnConsumedCapacity : std::uint8_t { kNone, kTotal, kIndexes };
enum class ReturnItemCollectionMetrics : std::uint8_t { kNone, kSize };
enum class ReturnValuesOnConditionCheckFailure : std::uint8_t { kNone, kAllOld };
enum class Select : std::uint8_t {
  kAllAttributes,
  kAllProjectedAttributes,
  kSpecificAttributes,
  kCount,
};

using IndexUnits = std::vector<std::pair<std::string, double>>;

struct ConsumedCapacity {
  std::string table_name;  // as it was sent: a name or an ARN
  double capacity_units = 0;
  // Of transactions only: one of the two is there, and equal to capacity_units.
  std::optional<double> read_capacity_units;
  std::optional<double> write_capacity_units;
  // Only with ReturnConsumedCapacity INDEXES.
  std::optional<double> table_units;
  IndexUnits global_secondary_indexes;
  IndexUnits local_secondary_indexes;
};

struct ItemCollectionMetrics {
  Item item_collection_key;
  double size_estimate_lower_gb = 0;
  double size_estimate_upper_gb = 1;
};

struct GetItemRequest {
  std::optional<std::string> table_name;
  std::optional<Item> key;
  std::optional<std::vector<std::string>> attributes_to_get;
  std::optional<bool> consistent_read;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
  std::optional<std::string> projection_expression;
  std::optional<NameMap> expression_attribute_names;
};
struct GetItemResponse {
  std::optional<Item> item;
  std::optional<ConsumedCapacity> consumed_capacity;
};

struct PutItemRequest {
  std::optional<std::string> table_name;
  std::optional<Item> item;
  std::optional<ExpectedMap> expected;
  std::optional<Choice<ReturnValues>> return_values;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
  std::optional<Choice<ReturnItemCollectionMetrics>> return_item_collection_metrics;
  std::optional<Choice<ConditionalOperator>> conditional_operator;
  std::optional<std::string> condition_expression;
  std::optional<NameMap> expression_attribute_names;
  std::optional<ValueMap> expression_attribute_values;
  std::optional<Choice<ReturnValuesOnConditionCheckFailure>>
      return_values_on_condition_check_failure;
};

struct UpdateItemRequest {
  std::optional<std::string> table_name;
  std::optional<Item> key;
  std::optional<AttributeUpdateMap> attribute_updates;
  std::optional<ExpectedMap> expected;
  std::optional<Choice<ConditionalOperator>> conditional_operator;
  std::optional<Choice<ReturnValues>> return_values;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
  std::optional<Choice<ReturnItemCollectionMetrics>> return_item_collection_metrics;
  std::optional<std::string> update_expression;
  std::optional<std::string> condition_expression;
  std::optional<NameMap> expression_attribute_names;
  std::optional<ValueMap> expression_attribute_values;
  std::optional<Choice<ReturnValuesOnConditionCheckFailure>>
      return_values_on_condition_check_failure;
};

struct DeleteItemRequest {
  std::optional<std::string> table_name;
  std::optional<Item> key;
  std::optional<ExpectedMap> expected;
  std::optional<Choice<ConditionalOperator>> conditional_operator;
  std::optional<Choice<ReturnValues>> return_values;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
  std::optional<Choice<ReturnItemCollectionMetrics>> return_item_collection_metrics;
  std::optional<std::string> condition_expression;
  std::optional<NameMap> expression_attribute_names;
  std::optional<ValueMap> expression_attribute_values;
  std::optional<Choice<ReturnValuesOnConditionCheckFailure>>
      return_values_on_condition_check_failure;
};

// PutItem, UpdateItem and DeleteItem answer alike.
struct WriteItemResponse {
  std::optional<Item> attributes;
  std::optional<ConsumedCapacity> consumed_capacity;
  std::optional<ItemCollectionMetrics> item_collection_metrics;
};
using PutItemResponse = WriteItemResponse;
using UpdateItemResponse = WriteItemResponse;
using DeleteItemResponse = WriteItemResponse;

struct QueryRequest {
  std::optional<std::string> table_name;
  std::optional<std::string> index_name;
  std::optional<Choice<Select>> select;
  std::optional<std::vector<std::string>> attributes_to_get;
  std::optional<std::int64_t> limit;
  std::optional<bool> consistent_read;
  std::optional<LegacyConditionMap> key_conditions;
  std::optional<LegacyConditionMap> query_filter;
  std::optional<Choice<ConditionalOperator>> conditional_operator;
  std::optional<bool> scan_index_forward;
  std::optional<Item> exclusive_start_key;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
  std::optional<std::string> projection_expression;
  std::optional<std::string> filter_expression;
  std::optional<std::string> key_condition_expression;
  std::optional<NameMap> expression_attribute_names;
  std::optional<ValueMap> expression_attribute_values;
};

struct ScanRequest {
  std::optional<std::string> table_name;
  std::optional<std::string> index_name;
  std::optional<std::vector<std::string>> attributes_to_get;
  std::optional<std::int64_t> limit;
  std::optional<Choice<Select>> select;
  std::optional<LegacyConditionMap> scan_filter;
  std::optional<Choice<ConditionalOperator>> conditional_operator;
  std::optional<Item> exclusive_start_key;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
  std::optional<std::int64_t> total_segments;
  std::optional<std::int64_t> segment;
  std::optional<std::string> projection_expression;
  std::optional<std::string> filter_expression;
  std::optional<NameMap> expression_attribute_names;
  std::optional<ValueMap> expression_attribute_values;
  std::optional<bool> consistent_read;
};

// One page of a Query or a Scan.
struct PageResponse {
  std::optional<ItemList> items;   // absent for Select COUNT
  std::int64_t count = 0;          // returned, after the filter
  std::int64_t scanned_count = 0;  // evaluated, before the filter
  std::optional<Item> last_evaluated_key;
  std::optional<ConsumedCapacity> consumed_capacity;
};
using QueryResponse = PageResponse;
using ScanResponse = PageResponse;

struct KeysAndAttributes {
  std::optional<std::vector<Item>> keys;
  std::optional<std::vector<std::string>> attributes_to_get;
  std::optional<bool> consistent_read;
  std::optional<std::string> projection_expression;
  std::optional<NameMap> expression_attribute_names;
};
using BatchGetMap = std::vector<std::pair<std::string, KeysAndAttributes>>;

struct BatchGetItemRequest {
  std::optional<BatchGetMap> request_items;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
};
struct BatchGetItemResponse {
  std::vector<std::pair<std::string, ItemList>> responses;
  BatchGetMap unprocessed_keys;
  std::optional<std::vector<ConsumedCapacity>> consumed_capacity;
};

// Exactly one of the two.
struct WriteRequest {
  std::optional<Item> put_item;
  std::optional<Item> delete_key;
};
using BatchWriteMap = std::vector<std::pair<std::string, std::vector<WriteRequest>>>;

struct BatchWriteItemRequest {
  std::optional<BatchWriteMap> request_items;
  std::optional<Choice<ReturnConsumedCapacity>> return_consumed_capacity;
  std::optional<Choice<ReturnItemCollectionMetrics>> return_item_collection_metrics;
};
struct BatchWriteItemResponse {
  BatchWriteMap unprocessed_items;
  std::optional<std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>>>
      item_collection_metrics;
  std::optional<std::vector<ConsumedCapacity>> consumed_capacity;
};

}  // namespace stator

#endif  // STATOR_OPERATIONS_H_
