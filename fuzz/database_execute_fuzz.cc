// Any bytes as any operation's request: the whole road from JSON to the store and back.
//
// The first byte chooses the operation, the rest is the body. The database has a table with every kind of
// index, so that requests that happen to be valid reach the engine.
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "stator/database.h"

namespace {

constexpr std::array<std::string_view, 37> kOperations = {"GetItem",
                                                          "PutItem",
                                                          "UpdateItem",
                                                          "DeleteItem",
                                                          "Query",
                                                          "Scan",
                                                          "BatchGetItem",
                                                          "BatchWriteItem",
                                                          "CreateTable",
                                                          "DescribeTable",
                                                          "UpdateTable",
                                                          "DeleteTable",
                                                          "ListTables",
                                                          "TagResource",
                                                          "UntagResource",
                                                          "ListTagsOfResource",
                                                          "DescribeLimits",
                                                          "DescribeEndpoints",
                                                          "CreateBackup",
                                                          "DescribeBackup",
                                                          "ListBackups",
                                                          "DeleteBackup",
                                                          "DescribeContinuousBackups",
                                                          "UpdateContinuousBackups",
                                                          "RestoreTableFromBackup",
                                                          "RestoreTableToPointInTime",
                                                          "TransactGetItems",
                                                          "TransactWriteItems",
                                                          "UpdateTimeToLive",
                                                          "DescribeTimeToLive",
                                                          "ListStreams",
                                                          "DescribeStream",
                                                          "GetShardIterator",
                                                          "GetRecords",
                                                          "ExecuteStatement",
                                                          "BatchExecuteStatement",
                                                          "ExecuteTransaction"};

constexpr std::string_view kTable = R"({"TableName": "Tab", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "S"},
                             {"AttributeName": "s", "AttributeType": "N"},
                             {"AttributeName": "g", "AttributeType": "S"},
                             {"AttributeName": "h", "AttributeType": "B"}],
    "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "s", "KeyType": "RANGE"}],
    "LocalSecondaryIndexes": [{"IndexName": "loc", "Projection": {"ProjectionType": "KEYS_ONLY"},
        "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}, {"AttributeName": "g", "KeyType": "RANGE"}]}],
    "GlobalSecondaryIndexes": [{"IndexName": "glo", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}, {"AttributeName": "h", "KeyType": "RANGE"}]}]})";

stator::Database& TheDatabase() {
  static const std::unique_ptr<stator::Database> database = [] {
    auto opened = stator::Database::Open({});
    if (!opened || !(*opened)->Execute("CreateTable", kTable)) std::abort();
    return *std::move(opened);
  }();
  return *database;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view body(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto answer = TheDatabase().Execute(kOperations[data[0] % kOperations.size()], body);
  // Nothing that a client sends may be our fault.
  if (!answer && answer.error().code() == stator::ErrorCode::kInternalServerError) std::abort();
  return 0;
}
