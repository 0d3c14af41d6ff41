#include "systems/homeops/phase_two.h"

#include <fmt/format.h>

#include "systems/homeops/vocabulary.h"

namespace stator::systems::homeops {

Result<void> CreatePhaseTwoTable(Endpoint& endpoint, const std::string& table_prefix) {
  const auto created = endpoint.Execute(
      "CreateTable",
      fmt::format(R"({{"TableName": "{}homeops-activities", "BillingMode": "PAY_PER_REQUEST",
        "AttributeDefinitions": [
          {{"AttributeName": "chatId", "AttributeType": "S"}},
          {{"AttributeName": "activityId", "AttributeType": "S"}},
          {{"AttributeName": "userId", "AttributeType": "N"}},
          {{"AttributeName": "timestamp", "AttributeType": "N"}}],
        "KeySchema": [{{"AttributeName": "chatId", "KeyType": "HASH"}},
                      {{"AttributeName": "activityId", "KeyType": "RANGE"}}],
        "GlobalSecondaryIndexes": [{{"IndexName": "userId-timestamp-index",
          "KeySchema": [{{"AttributeName": "userId", "KeyType": "HASH"}},
                        {{"AttributeName": "timestamp", "KeyType": "RANGE"}}],
          "Projection": {{"ProjectionType": "ALL"}}}}]}})",
                  table_prefix));
  if (!created) return std::unexpected(created.error());
  return {};
}

Result<void> PutPhaseTwoActivity(Endpoint& endpoint, const Message& message,
                                 const std::string& table_prefix) {
  const KnownActivity* known = FindActivity(message.expected);
  if (known == nullptr) return {};
  const auto put = endpoint.PutItem({.table_name = table_prefix + "homeops-activities",
                                     .item = Item{{"chatId", message.chat},
                                                  {"activityId", ActivityIdOf(message)},
                                                  {"messageId", message.id},
                                                  {"userId", message.user},
                                                  {"userName", message.name},
                                                  {"timestamp", message.at},
                                                  {"activity", known->name},
                                                  {"type", known->recovery ? "recovery" : "chore"},
                                                  {"effort", known->effort},
                                                  {"confidence", 90}}});
  if (!put) return std::unexpected(put.error());
  return {};
}

}  // namespace stator::systems::homeops
