#include "model/plan/request_members.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace stator::model {
namespace {

struct Api {
  std::string_view name;
  std::vector<std::string_view> members;
};

// A batch or a transaction has its expressions one level below; they count as its own here.
const std::vector<Api>& Apis() {
  static const std::vector<Api> kApis = {
      {"GetItem",
       {"TableName", "Key", "AttributesToGet", "ConsistentRead", "ReturnConsumedCapacity",
        "ProjectionExpression", "ExpressionAttributeNames"}},
      {"PutItem",
       {"TableName", "Item", "Expected", "ReturnValues", "ReturnConsumedCapacity",
        "ReturnItemCollectionMetrics", "ConditionalOperator", "ConditionExpression",
        "ExpressionAttributeNames", "ExpressionAttributeValues",
        "ReturnValuesOnConditionCheckFailure"}},
      {"UpdateItem",
       {"TableName", "Key", "AttributeUpdates", "Expected", "ConditionalOperator", "ReturnValues",
        "ReturnConsumedCapacity", "ReturnItemCollectionMetrics", "UpdateExpression",
        "ConditionExpression", "ExpressionAttributeNames", "ExpressionAttributeValues",
        "ReturnValuesOnConditionCheckFailure"}},
      {"DeleteItem",
       {"TableName", "Key", "Expected", "ConditionalOperator", "ReturnValues",
        "ReturnConsumedCapacity", "ReturnItemCollectionMetrics", "ConditionExpression",
        "ExpressionAttributeNames", "ExpressionAttributeValues",
        "ReturnValuesOnConditionCheckFailure"}},
      {"Query",
       {"TableName", "IndexName", "Select", "AttributesToGet", "Limit", "ConsistentRead",
        "KeyConditions", "QueryFilter", "ConditionalOperator", "ScanIndexForward",
        "ExclusiveStartKey", "ReturnConsumedCapacity", "ProjectionExpression", "FilterExpression",
        "KeyConditionExpression", "ExpressionAttributeNames", "ExpressionAttributeValues"}},
      {"Scan",
       {"TableName", "IndexName", "AttributesToGet", "Limit", "Select", "ScanFilter",
        "ConditionalOperator", "ExclusiveStartKey", "ReturnConsumedCapacity", "TotalSegments",
        "Segment", "ProjectionExpression", "FilterExpression", "ExpressionAttributeNames",
        "ExpressionAttributeValues", "ConsistentRead"}},
      {"BatchGetItem",
       {"RequestItems", "ReturnConsumedCapacity", "Keys", "AttributesToGet", "ConsistentRead",
        "ProjectionExpression", "ExpressionAttributeNames"}},
      {"BatchWriteItem",
       {"RequestItems", "ReturnConsumedCapacity", "ReturnItemCollectionMetrics", "PutRequest",
        "DeleteRequest"}},
      {"TransactGetItems",
       {"TransactItems", "ReturnConsumedCapacity", "Get", "TableName", "Key",
        "ProjectionExpression", "ExpressionAttributeNames"}},
      {"TransactWriteItems",
       {"TransactItems", "ReturnConsumedCapacity", "ReturnItemCollectionMetrics",
        "ClientRequestToken", "Put", "Update", "Delete", "ConditionCheck", "TableName", "Key",
        "Item", "UpdateExpression", "ConditionExpression", "ExpressionAttributeNames",
        "ExpressionAttributeValues", "ReturnValuesOnConditionCheckFailure"}},
      {"ExecuteStatement",
       {"Statement", "Parameters", "ConsistentRead", "NextToken", "ReturnConsumedCapacity", "Limit",
        "ReturnValuesOnConditionCheckFailure"}},
      {"BatchExecuteStatement", {"Statements", "ReturnConsumedCapacity"}},
      {"ExecuteTransaction",
       {"TransactStatements", "ClientRequestToken", "ReturnConsumedCapacity"}},
  };
  return kApis;
}

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

}  // namespace

std::string_view ApiName(std::string_view written) {
  std::string name = Lower(written);
  if (name.starts_with("dynamodb:")) name.erase(0, 9);
  if (name.ends_with("command")) name.resize(name.size() - 7);
  for (const Api& api : Apis()) {
    if (Lower(api.name) == name) return api.name;
  }
  return {};
}

std::span<const std::string_view> MembersOf(std::string_view api) {
  const auto it = std::ranges::find(Apis(), api, &Api::name);
  if (it == Apis().end()) return {};
  return it->members;
}

std::span<const std::string_view> ApiNames() {
  static const std::vector<std::string_view> kNames = [] {
    std::vector<std::string_view> names;
    for (const Api& api : Apis()) names.push_back(api.name);
    return names;
  }();
  return kNames;
}

std::vector<std::string> MembersGiven(const Code& code) {
  std::vector<std::string> given = code.parameters;
  const auto add = [&](bool has, std::string_view member) {
    if (has && std::ranges::find(given, member) == given.end()) given.emplace_back(member);
  };
  add(!code.key_condition.empty(), "KeyConditionExpression");
  add(!code.filter.empty(), "FilterExpression");
  add(!code.update.empty(), "UpdateExpression");
  add(!code.condition.empty(), "ConditionExpression");
  add(!code.projection.empty(), "ProjectionExpression");
  add(!code.names.empty(), "ExpressionAttributeNames");
  add(!code.values.empty(), "ExpressionAttributeValues");
  return given;
}

}  // namespace stator::model
