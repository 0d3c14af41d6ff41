#include <gtest/gtest.h>

#include <string>

#include "api/testing/api_test.h"

namespace stator {
namespace update_table_test {

using std::chrono::hours;
using std::chrono::seconds;

constexpr std::string_view kInvalid =
    "ValidationException: One or more parameter values were invalid: ";

class UpdateTableTest : public ApiTest {
 protected:
  void CreateProvisioned() {
    ASSERT_TRUE(Call(kCreateTable, R"({"TableName":"Music",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
                              {"AttributeName":"a","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "ProvisionedThroughput":{"ReadCapacityUnits":10,"WriteCapacityUnits":10},
      "GlobalSecondaryIndexes":[{
        "IndexName":"by-a","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],
        "Projection":{"ProjectionType":"ALL"},
        "ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":7}}]})"));
  }
  void CreateOnDemand() {
    ASSERT_TRUE(Call(kCreateTable, R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})"));
  }
  std::string Update(std::string_view members) {
    return Answer(kUpdateTable, R"({"TableName":"Music",)" + std::string(members) + "}");
  }
  std::string Units(int read, int write) {
    return Update(R"("ProvisionedThroughput":{"ReadCapacityUnits":)" + std::to_string(read) +
                  R"(,"WriteCapacityUnits":)" + std::to_string(write) + "}");
  }
  TablePtr Music() { return engine_->catalog().Find("Music"); }
  void Settle() { engine_->background().WaitUntilIdle(); }
};

constexpr std::string_view kCreateByYear =
    R"("AttributeDefinitions":[{"AttributeName":"year","AttributeType":"N"}],
       "GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"by-year",
         "KeySchema":[{"AttributeName":"year","KeyType":"HASH"}],
         "Projection":{"ProjectionType":"ALL"}}}])";

std::string IndexUnits(std::string_view index, int read, int write) {
  return R"("GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":")" + std::string(index) +
         R"(","ProvisionedThroughput":{"ReadCapacityUnits":)" + std::to_string(read) +
         R"(,"WriteCapacityUnits":)" + std::to_string(write) + "}}}]";
}

bool Contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST_F(UpdateTableTest, SomethingMustBeAskedFor) {
  const std::string required =
      "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, ReplicaTransitRoleArn, "
      "MultiRegionConsistency, DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or "
      "TableClass is required";
  EXPECT_EQ(Update(R"("AttributeDefinitions":[])"),
            "ValidationException: At least one of ProvisionedThroughput, BillingMode, "
            "UpdateStreamEnabled, GlobalSecondaryIndexUpdates, " +
                required);
  EXPECT_EQ(Update(R"("GlobalSecondaryIndexUpdates":[])"),
            "ValidationException: At least one of ProvisionedThroughput, BillingMode, "
            "UpdateStreamEnabled, " +
                required);
}

TEST_F(UpdateTableTest, RulesThatNeedNoTable) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"("BillingMode":"PAY_PER_REQUEST","GlobalSecondaryIndexUpdates":[])",
       "List of GlobalSecondaryIndexUpdates is empty"},
      {R"("BillingMode":"PROVISIONED")",
       "ProvisionedThroughput must be specified when BillingMode is PROVISIONED"},
      {R"("SSESpecification":{},"TableClass":"STANDARD")",
       "Server-Side Encryption modification must be the only operation in the request"},
      {R"("DeletionProtectionEnabled":true,"TableClass":"STANDARD")",
       "TableClass modification must be the only operation in the request"},
      {R"("DeletionProtectionEnabled":true,"BillingMode":"PAY_PER_REQUEST")",
       "DeletionProtection modification must be the only operation in the request"},
      {R"("WarmThroughput":{},"BillingMode":"PAY_PER_REQUEST")",
       "WarmThroughput must be the only operation in the request"},
      {R"("OnDemandThroughput":{},"StreamSpecification":{"StreamEnabled":false})",
       "OnDemandThroughput can only be combined with BillingMode in an UpdateTable request"},
      {R"("GlobalSecondaryIndexUpdates":[{}])",
       "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
       "GlobalSecondaryIndexUpdate.Delete must not be null"},
      {R"("GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"abc"}},
                                        {"Delete":{"IndexName":"abc"}}])",
       "Only one global secondary index update per index is allowed simultaneously. Index: abc"},
      {R"("StreamSpecification":{"StreamEnabled":true})",
       "If stream is being enabled then UpdateViewType is required"},
  };
  for (const auto& [members, message] : cases) {
    EXPECT_EQ(Update(members), std::string(kInvalid) + std::string(message)) << members;
  }
  EXPECT_EQ(Units(1, 1),
            "ResourceNotFoundException: Requested resource not found: Table: Music not found");
}

TEST_F(UpdateTableTest, ThroughputChangesAtOnceButTheAnswerShowsTheOldOne) {
  CreateProvisioned();
  const std::string answer = Units(20, 10);
  EXPECT_TRUE(Contains(answer, R"("TableStatus":"UPDATING")"));
  EXPECT_TRUE(Contains(answer, R"("ReadCapacityUnits":10)"));
  const std::string described = Answer(kDescribeTable, R"({"TableName":"Music"})");
  EXPECT_TRUE(Contains(described, R"("TableStatus":"ACTIVE")"));
  EXPECT_TRUE(Contains(described, R"("LastIncreaseDateTime":1769860800.000)"));
  EXPECT_TRUE(Contains(described, R"("ReadCapacityUnits":20)"));
}

TEST_F(UpdateTableTest, ThroughputMustReallyChange) {
  CreateProvisioned();
  EXPECT_EQ(
      Units(10, 10),
      "ValidationException: The provisioned throughput for the table will not change. The "
      "requested value equals the current value. Current ReadCapacityUnits provisioned for the "
      "table: 10. Requested ReadCapacityUnits: 10. Current WriteCapacityUnits provisioned for "
      "the table: 10. Requested WriteCapacityUnits: 10. Refer to the Amazon DynamoDB Developer "
      "Guide for current limits and how to request higher limits.");
}

TEST_F(UpdateTableTest, DecreasesAreLimitedADay) {
  CreateProvisioned();
  for (int units : {9, 8, 7, 6}) EXPECT_TRUE(Contains(Units(units, 10), "UPDATING"));
  EXPECT_EQ(
      Units(5, 10),
      "LimitExceededException: Subscriber limit exceeded: Provisioned throughput decreases are "
      "limited within a given UTC day. After the first 4 decreases, each subsequent decrease in "
      "the same UTC day can be performed at most once every 3600 seconds. Number of decreases "
      "today: 4. Last decrease at Saturday, January 31, 2026 12:00:00 PM UTC. Next decrease can "
      "be made at Saturday, January 31, 2026 01:00:00 PM UTC");
  EXPECT_TRUE(Contains(Units(7, 10), "UPDATING")) << "an increase is free";
  clock_.Advance(hours(1));
  EXPECT_TRUE(Contains(Units(5, 10), "UPDATING"));
  EXPECT_FALSE(Contains(Units(4, 10), "UPDATING"));
  clock_.Advance(hours(12));
  EXPECT_TRUE(Contains(Units(4, 10), "UPDATING")) << "a new day";
}

TEST_F(UpdateTableTest, WarmThroughputIsAHighWaterMark) {
  CreateProvisioned();
  Units(100, 100);
  Units(5, 5);
  EXPECT_TRUE(Contains(Answer(kDescribeTable, R"({"TableName":"Music"})"),
                       R"("WarmThroughput":{"ReadUnitsPerSecond":100,"WriteUnitsPerSecond":100)"));
  EXPECT_EQ(Update(R"("WarmThroughput":{"ReadUnitsPerSecond":99})"),
            std::string(kInvalid) +
                "Requested ReadUnitsPerSecond for WarmThroughput for table is lower than current "
                "WarmThroughput, decreasing WarmThroughput is not supported");
}

TEST_F(UpdateTableTest, BillingModesGoBothWays) {
  CreateProvisioned();
  EXPECT_TRUE(Contains(Update(R"("BillingMode":"PAY_PER_REQUEST")"),
                       R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST")"));
  EXPECT_EQ(Music()->indexes[0].throughput.read_units, 0);
  EXPECT_EQ(
      Units(1, 1),
      std::string(kInvalid) +
          "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
          "PAY_PER_REQUEST");
  const std::string provisioned =
      R"("BillingMode":"PROVISIONED",
         "ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4})";
  EXPECT_EQ(Update(provisioned),
            std::string(kInvalid) + "ProvisionedThroughput must be specified for index: by-a");
  EXPECT_TRUE(Contains(Update(provisioned + "," + IndexUnits("by-a", 1, 2)), "UPDATING"));
  EXPECT_EQ(Music()->throughput.write_units, 4);
  EXPECT_EQ(Music()->indexes[0].throughput.write_units, 2);
  EXPECT_TRUE(Contains(Answer(kDescribeTable, R"({"TableName":"Music"})"),
                       R"("BillingModeSummary":{"BillingMode":"PROVISIONED")"));
}

TEST_F(UpdateTableTest, AnIndexIsBuiltAndRemoved) {
  CreateOnDemand();
  const std::string created = Update(kCreateByYear);
  EXPECT_TRUE(Contains(created, R"("TableStatus":"UPDATING")")) << created;
  EXPECT_TRUE(Contains(created, R"("IndexStatus":"CREATING","Backfilling":false)")) << created;
  Settle();
  ASSERT_EQ(Music()->indexes.size(), 1U);
  EXPECT_EQ(Music()->indexes[0].status, IndexStatus::kActive);
  EXPECT_EQ(Music()->attribute_definitions.size(), 2U);
  EXPECT_EQ(Update(kCreateByYear),
            "ValidationException: Attempting to create an index which already exists");

  const std::string_view remove =
      R"("GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"by-year"}}])";
  const std::string removed = Update(remove);
  EXPECT_TRUE(Contains(removed, R"("TableStatus":"UPDATING")"));
  EXPECT_TRUE(Contains(removed, R"("IndexStatus":"DELETING")"));
  Settle();
  EXPECT_TRUE(Music()->indexes.empty());
  EXPECT_EQ(Music()->attribute_definitions.size(), 1U);
  EXPECT_EQ(
      Update(remove),
      "ResourceNotFoundException: Requested resource not found: Index by-year for table Music");
}

TEST_F(UpdateTableTest, IndexesAreBuiltOneAtATime) {
  CreateOnDemand();
  ASSERT_TRUE(engine_->catalog().Change(Music()->number, [](Table& table) -> Result<void> {
    Index index;
    index.number = table.next_index_number++;
    index.name = "other";
    index.global = true;
    index.keys.hash = {{"pk", ScalarType::kS}};
    index.status = IndexStatus::kCreating;
    index.backfilling = false;
    table.indexes.push_back(index);
    return {};
  }));
  EXPECT_EQ(
      Update(kCreateByYear),
      "LimitExceededException: Subscriber limit exceeded: Only 1 online index can be created or "
      "deleted simultaneously per table");
  EXPECT_EQ(
      Update(R"("GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"other"}}])"),
      "ResourceInUseException: Attempt to change a resource which is still in use: Index creation "
      "is in resource allocation phase. Retry deletion during backfilling phase or when the index "
      "is active. Table: Music Index: other");
  EXPECT_EQ(
      Answer(kDeleteTable, R"({"TableName":"Music"})"),
      "ResourceInUseException: Attempt to change a resource which is still in use: Cannot delete "
      "table while indexes are being created, updated, or deleted.");
}

TEST_F(UpdateTableTest, RulesOfIndexUpdates) {
  CreateProvisioned();
  EXPECT_EQ(
      Update(kCreateByYear),
      std::string(kInvalid) +
          "Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: by-year");
  EXPECT_EQ(Update(R"("GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"abc",
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "Projection":{"ProjectionType":"ALL"}}}])"),
            std::string(kInvalid) + "AttributeDefinitions is not specified for index: abc");
  EXPECT_EQ(
      Update(IndexUnits("by-a", 7, 7)),
      "ValidationException: The provisioned throughput for the index by-a will not change. The "
      "requested "
      "value equals the current value. Current ReadCapacityUnits provisioned for index by-a: 7. "
      "Requested "
      "ReadCapacityUnits: 7. Current WriteCapacityUnits provisioned for index by-a: 7. Requested "
      "WriteCapacityUnits: 7. Refer to the Amazon DynamoDB Developer Guide for current limits and "
      "how to "
      "request higher limits.");
  const std::string updated = Update(IndexUnits("by-a", 8, 7));
  EXPECT_TRUE(Contains(updated, R"("IndexStatus":"UPDATING")")) << updated;
  EXPECT_TRUE(Contains(updated, R"("ReadCapacityUnits":7)")) << updated;
  EXPECT_EQ(Music()->indexes[0].throughput.read_units, 8);
}

TEST_F(UpdateTableTest, ProtectionStopsDeletionAndChangesSlowly) {
  CreateOnDemand();
  EXPECT_TRUE(Contains(Update(R"("DeletionProtectionEnabled":true)"), R"("TableStatus":"ACTIVE")"));
  EXPECT_EQ(Answer(kDeleteTable, R"({"TableName":"Music"})"),
            "ValidationException: Resource cannot be deleted as it is currently protected against "
            "deletion. Disable deletion protection first.");
  clock_.Advance(seconds(14));
  EXPECT_EQ(Update(R"("DeletionProtectionEnabled":false)"),
            "ThrottlingException: Deletion protection setting for table Music modified within the "
            "previous 15000 milliseconds. Please try again after 2026-01-31T12:00:15.000Z");
  clock_.Advance(seconds(1));
  EXPECT_TRUE(Contains(Update(R"("DeletionProtectionEnabled":false)"), "ACTIVE"));
  EXPECT_TRUE(Contains(Answer(kDeleteTable, R"({"TableName":"Music"})"), "DELETING"));
}

TEST_F(UpdateTableTest, TheTableClassChangesTwiceInThirtyDays) {
  CreateOnDemand();
  const std::string_view rare = R"("TableClass":"STANDARD_INFREQUENT_ACCESS")";
  const std::string_view standard = R"("TableClass":"STANDARD")";
  EXPECT_TRUE(Contains(Update(rare), R"("TableClass":"STANDARD_INFREQUENT_ACCESS")"));
  EXPECT_TRUE(Contains(Update(standard), R"("TableClass":"STANDARD")"));
  EXPECT_EQ(
      Update(rare),
      "LimitExceededException: Subscriber limit exceeded: Updates to TableClass are limited to 2 "
      "times in 30 day(s).");
  clock_.Advance(hours(24 * 30));
  EXPECT_TRUE(Contains(Update(rare), "UPDATING"));
}

TEST_F(UpdateTableTest, MaximaAreMergedAndCleared) {
  CreateOnDemand();
  EXPECT_EQ(Update(R"("OnDemandThroughput":{})"), "InternalFailure: ");
  Update(R"("OnDemandThroughput":{"MaxReadRequestUnits":5})");
  Update(R"("OnDemandThroughput":{"MaxWriteRequestUnits":6})");
  EXPECT_EQ(Music()->on_demand.max_read_request_units, 5);
  EXPECT_EQ(Music()->on_demand.max_write_request_units, 6);
  Update(R"("OnDemandThroughput":{"MaxReadRequestUnits":-1})");
  EXPECT_EQ(Music()->on_demand.max_read_request_units, std::nullopt);
  EXPECT_EQ(
      Update(R"("OnDemandThroughput":{"MaxReadRequestUnits":-2})"),
      std::string(kInvalid) +
          "Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid "
          "range");
}

}  // namespace update_table_test
}  // namespace stator
