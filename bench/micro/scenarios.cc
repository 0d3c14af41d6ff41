#include "micro/scenarios.h"

#include <fmt/format.h>

#include "micro/items.h"

namespace stator::bench {
namespace {

constexpr std::string_view kPlainTable = R"({
  "TableName": "bench", "BillingMode": "PAY_PER_REQUEST",
  "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
  "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}]})";

constexpr std::string_view kIndexedTable = R"({
  "TableName": "bench", "BillingMode": "PAY_PER_REQUEST",
  "AttributeDefinitions": [
    {"AttributeName": "pk", "AttributeType": "S"}, {"AttributeName": "email", "AttributeType": "S"},
    {"AttributeName": "city", "AttributeType": "S"}, {"AttributeName": "name", "AttributeType": "S"},
    {"AttributeName": "status", "AttributeType": "S"},
    {"AttributeName": "balance", "AttributeType": "N"}],
  "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
  "GlobalSecondaryIndexes": [
    {"IndexName": "by-email", "Projection": {"ProjectionType": "ALL"},
     "KeySchema": [{"AttributeName": "email", "KeyType": "HASH"}]},
    {"IndexName": "by-city", "Projection": {"ProjectionType": "ALL"},
     "KeySchema": [{"AttributeName": "city", "KeyType": "HASH"},
                   {"AttributeName": "name", "KeyType": "RANGE"}]},
    {"IndexName": "by-balance", "Projection": {"ProjectionType": "ALL"},
     "KeySchema": [{"AttributeName": "status", "KeyType": "HASH"},
                   {"AttributeName": "balance", "KeyType": "RANGE"}]}]})";

constexpr std::string_view kSortedTable = R"({
  "TableName": "bench", "BillingMode": "PAY_PER_REQUEST",
  "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"},
                           {"AttributeName": "sk", "AttributeType": "N"}],
  "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"},
                {"AttributeName": "sk", "KeyType": "RANGE"}]})";

constexpr int kPartitionItems = 100;
constexpr int kQueriedItems = 25;
constexpr int kBatchItems = 25;

// Turns walk over the items in large steps, so that neighbouring requests have nothing in common.
int ItemOfTurn(int turn) { return static_cast<int>(turn * 617LL % kItemCount); }

// Grows from turn to turn, so that every put changes something.
int VersionOfTurn(int turn) { return 1 + turn; }

std::string StoredItem(int number) { return ItemJson(number, 0); }

std::string StoredSmallItem(int number) {
  return SmallItemJson(number / kPartitionItems, number % kPartitionItems);
}

std::string GetRequest(int turn) {
  return fmt::format(R"({{"TableName":"bench","Key":{{"pk":{}}}}})",
                     KeyValueJson(ItemOfTurn(turn)));
}

std::string PutRequest(int turn) {
  return fmt::format(R"({{"TableName":"bench","Item":{}}})",
                     ItemJson(ItemOfTurn(turn), VersionOfTurn(turn)));
}

std::string UpdateRequest(int turn) {
  return fmt::format(
      R"({{"TableName":"bench","Key":{{"pk":{}}},"UpdateExpression":"SET #n = #n + :one",)"
      R"("ConditionExpression":"attribute_exists(pk) AND #n >= :zero",)"
      R"("ExpressionAttributeNames":{{"#n":"version"}},)"
      R"("ExpressionAttributeValues":{{":one":{{"N":"1"}},":zero":{{"N":"0"}}}}}})",
      KeyValueJson(ItemOfTurn(turn)));
}

std::string QueryRequest(int turn) {
  const int first = turn * 7 % (kPartitionItems - kQueriedItems);
  return fmt::format(
      R"({{"TableName":"bench",)"
      R"("KeyConditionExpression":"pk = :pk AND sk BETWEEN :first AND :last",)"
      R"("ExpressionAttributeValues":{{":pk":{},":first":{{"N":"{}"}},":last":{{"N":"{}"}}}}}})",
      KeyValueJson(turn % (kItemCount / kPartitionItems)), 1001 + first * 10,
      1001 + (first + kQueriedItems - 1) * 10);
}

std::string BatchRequest(int turn) {
  std::string body = R"({"RequestItems":{"bench":[)";
  for (int i = 0; i < kBatchItems; ++i) {
    const int put = turn * kBatchItems + i;
    if (i > 0) body += ',';
    body += fmt::format(R"({{"PutRequest":{{"Item":{}}}}})",
                        ItemJson(ItemOfTurn(put), VersionOfTurn(turn)));
  }
  return body + "]}}";
}

constexpr Scenario kScenarios[] = {
    {"GetItem", "GetItem", 1, kPlainTable, StoredItem, GetRequest},
    {"PutItem", "PutItem", 1, kPlainTable, StoredItem, PutRequest},
    {"PutItem-3-indexes", "PutItem", 1, kIndexedTable, StoredItem, PutRequest},
    {"UpdateItem-conditional", "UpdateItem", 1, kPlainTable, StoredItem, UpdateRequest},
    {"Query-25-items", "Query", kQueriedItems, kSortedTable, StoredSmallItem, QueryRequest},
    {"BatchWriteItem-25-items", "BatchWriteItem", kBatchItems, kPlainTable, StoredItem,
     BatchRequest},
};

}  // namespace

std::span<const Scenario> Scenarios() { return kScenarios; }

const Scenario* FindScenario(std::string_view name) {
  for (const Scenario& scenario : kScenarios) {
    if (scenario.name == name) return &scenario;
  }
  return nullptr;
}

}  // namespace stator::bench
