#include "stator/database.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace stator {
namespace database_test {

constexpr std::string_view kCreateMusic = R"({
    "TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "Artist", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"}]})";

std::unique_ptr<Database> OpenMusic(DatabaseOptions options = {}) {
  Result<std::unique_ptr<Database>> db = Database::Open(std::move(options));
  EXPECT_TRUE(db);
  EXPECT_TRUE((*db)->Execute("CreateTable", kCreateMusic));
  return *std::move(db);
}

class DatabaseDirectory : public ::testing::Test {
 protected:
  DatabaseDirectory() {
    const auto* info = testing::UnitTest::GetInstance()->current_test_info();
    directory_ = std::filesystem::temp_directory_path() /
                 (std::string("stator-database-test-") + info->name() + std::to_string(getpid()));
    std::filesystem::remove_all(directory_);
  }
  ~DatabaseDirectory() override { std::filesystem::remove_all(directory_); }
  std::filesystem::path directory_;
};

TEST(Database, TypedAndJsonCallsSeeTheSameItems) {
  const auto db = OpenMusic();
  ASSERT_TRUE(db->PutItem({.table_name = "Music", .item = Item{{"Artist", "A"}, {"Year", 2015}}}));
  EXPECT_EQ(
      db->Execute("GetItem", R"({"TableName": "Music", "Key": {"Artist": {"S": "A"}}})").value(),
      R"({"Item":{"Artist":{"S":"A"},"Year":{"N":"2015"}}})");
}

TEST(Database, TypedErrorsAreTheWiresErrors) {
  const auto db = OpenMusic();
  const auto missing = db->GetItem({.table_name = "Nowhere", .key = Item{{"Artist", "x"}}});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().name(), "ResourceNotFoundException");
  const auto bad = db->PutItem(
      {.table_name = "Music", .item = Item{{"Artist", "x"}, {"n", AttributeValue::Number("abc")}}});
  ASSERT_FALSE(bad);
  EXPECT_EQ(
      bad.error().message(),
      "1 validation error detected: The parameter cannot be converted to a numeric value: abc");
}

TEST(Database, AnUnknownOperationAndBadJsonAreErrorsNotCrashes) {
  const auto db = OpenMusic();
  EXPECT_EQ(db->Execute("FlyToTheMoon", "{}").error().code(), ErrorCode::kUnknownOperation);
  EXPECT_EQ(db->Execute("FlyToTheMoon", "{}").error().message(), "");
  for (std::string_view json : {"", "{", "[]", "null", "\"x\"", "{\"TableName\": \xff}"}) {
    EXPECT_EQ(db->Execute("GetItem", json).error().code(), ErrorCode::kSerialization) << json;
  }
}

TEST(Database, AnOperationThatOnlyDynamoDbHasSaysSo) {
  const Error error = OpenMusic()->Execute("UpdateKinesisStreamingDestination", "{}").error();
  EXPECT_EQ(error.code(), ErrorCode::kUnknownOperation);
  EXPECT_NE(error.message().find("UpdateKinesisStreamingDestination"), std::string::npos);
  EXPECT_NE(error.message().find("docs/compatibility.md"), std::string::npos);
}

TEST(Database, TypedStatementsReadAndWrite) {
  const auto db = OpenMusic();
  ASSERT_TRUE(db->ExecuteStatement({.statement = "INSERT INTO Music VALUE {'Artist': ?, 'n': 1}",
                                    .parameters = StatementParameters{"A"}}));
  const auto written = db->BatchExecuteStatement(
      {.statements = std::vector<BatchStatementRequest>{
           {.statement = "UPDATE Music SET n = 2 WHERE Artist = 'A' RETURNING ALL NEW *"},
           {.statement = "INSERT INTO Music VALUE {'Artist': 'B'}"}}});
  ASSERT_TRUE(written);
  EXPECT_EQ(written->responses[0].item, (Item{{"Artist", "A"}, {"n", 2}}));
  const auto read =
      db->ExecuteTransaction({.transact_statements = std::vector<ParameterizedStatement>{
                                  {.statement = "SELECT n FROM Music WHERE Artist = 'A'"},
                                  {.statement = "SELECT n FROM Music WHERE Artist = 'C'"}}});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->responses, (std::vector<std::optional<Item>>{Item{{"n", 2}}, std::nullopt}));
  EXPECT_EQ(db->GetStats().statement_scans, 0);
  const auto scanned = db->ExecuteStatement({.statement = "SELECT * FROM Music"});
  ASSERT_TRUE(scanned);
  EXPECT_EQ(scanned->items.size(), 2);
  EXPECT_EQ(db->GetStats().statement_scans, 1);
}

TEST(Database, CountsUnitsWithoutShowingThemToWhoDidNotAsk) {
  const auto db = *Database::Open({.count_units = true});
  ASSERT_TRUE(db->Execute("CreateTable", R"({"TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
      "AttributeDefinitions": [{"AttributeName": "Artist", "AttributeType": "S"},
                               {"AttributeName": "Year", "AttributeType": "N"}],
      "KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"}],
      "GlobalSecondaryIndexes": [{"IndexName": "byYear", "Projection": {"ProjectionType": "ALL"},
          "KeySchema": [{"AttributeName": "Year", "KeyType": "HASH"}]}]})"));
  const auto put = db->PutItem({.table_name = "Music", .item = Item{{"Artist", "A"}, {"Year", 1}}});
  ASSERT_TRUE(put);
  EXPECT_FALSE(put->consumed_capacity);
  const auto got = db->GetItem({.table_name = "Music",
                                .key = Item{{"Artist", "A"}},
                                .return_consumed_capacity = ReturnConsumedCapacity::kTotal});
  ASSERT_TRUE(got);
  EXPECT_EQ(got->consumed_capacity->capacity_units, 0.5);
  EXPECT_FALSE(got->consumed_capacity->table_units);
  const auto units = db->GetStats().consumed_units;
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(units[0].index, "");
  EXPECT_EQ(units[0].reads, 0.5);
  EXPECT_EQ(units[0].writes, 1);
  EXPECT_EQ(units[1].index, "byYear");
  EXPECT_EQ(units[1].writes, 1);
}

TEST(Database, CountsWhatFailedConditionsCostAndWhatBatchesOfStatementsRead) {
  const auto db = *Database::Open({.count_units = true});
  EXPECT_TRUE(db->GetStats().counts_units);
  ASSERT_TRUE(db->Execute("CreateTable", R"({"TableName": "Music", "BillingMode": "PAY_PER_REQUEST",
      "AttributeDefinitions": [{"AttributeName": "Artist", "AttributeType": "S"}],
      "KeySchema": [{"AttributeName": "Artist", "KeyType": "HASH"}]})"));
  ASSERT_TRUE(db->PutItem(
      {.table_name = "Music", .item = Item{{"Artist", "A"}, {"text", std::string(1500, 'x')}}}));
  const double before = db->GetStats().consumed_units[0].writes;
  EXPECT_EQ(before, 2);
  EXPECT_FALSE(db->PutItem({.table_name = "Music",
                            .item = Item{{"Artist", "A"}},
                            .condition_expression = "attribute_not_exists(Artist)"}));
  EXPECT_FALSE(db->DeleteItem({.table_name = "Music",
                               .key = Item{{"Artist", "nobody"}},
                               .condition_expression = "attribute_exists(Artist)"}));
  EXPECT_EQ(db->GetStats().consumed_units[0].writes, before + 2 + 1);
  ASSERT_TRUE(
      db->BatchExecuteStatement({.statements = std::vector<BatchStatementRequest>{
                                     {.statement = " select * FROM Music WHERE Artist = 'A'"}}}));
  EXPECT_EQ(db->GetStats().consumed_units[0].writes, before + 2 + 1);
  EXPECT_EQ(db->GetStats().consumed_units[0].reads, 0.5);
}

TEST(Database, SeveralThreadsIncrementOneCounter) {
  const auto db = OpenMusic();
  constexpr int kThreads = 4;
  constexpr int kIncrements = 500;
  std::vector<std::jthread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kIncrements; ++i) {
        EXPECT_TRUE(db->UpdateItem({.table_name = "Music",
                                    .key = Item{{"Artist", "hot"}},
                                    .update_expression = "ADD plays :one",
                                    .expression_attribute_values = ValueMap{{":one", 1}}}));
      }
    });
  }
  threads.clear();
  const auto got = db->GetItem({.table_name = "Music", .key = Item{{"Artist", "hot"}}});
  EXPECT_EQ(got.value().item.value().Find("plays")->AsInt64(), kThreads * kIncrements);
}

TEST(Database, GoesByItsClock) {
  const TimeMs start{std::chrono::milliseconds(1'767'225'600'000)};
  const auto db = OpenMusic({.clock = ClockSetting::FixedAt(start)});
  const auto created = [&] {
    return db->DescribeTable({.table_name = "Music"}).value().table.creation_ms;
  };
  EXPECT_EQ(created(), start.time_since_epoch().count());
  const auto protect = [&](bool wanted) {
    return db->UpdateTable({.table_name = "Music", .deletion_protection_enabled = wanted});
  };
  ASSERT_TRUE(protect(true));
  EXPECT_FALSE(protect(false));
  EXPECT_TRUE(db->clock().Advance(std::chrono::seconds(15)));
  EXPECT_TRUE(protect(false));
}

TEST(Database, AnImpossibleClockIsRefused) {
  const auto db = Database::Open({.clock = ClockSetting::FixedAt(TimeMs::min())});
  ASSERT_FALSE(db);
  EXPECT_EQ(db.error().message(), "a clock shows years from 1970 to 9999");
}

TEST_F(DatabaseDirectory, KeepsItemsAndCountsOverAReopen) {
  {
    const auto db = OpenMusic({.directory = directory_});
    for (int i = 0; i < 10; ++i) {
      ASSERT_TRUE(
          db->PutItem({.table_name = "Music", .item = Item{{"Artist", std::to_string(i)}}}));
    }
  }
  const auto db = Database::Open({.directory = directory_});
  ASSERT_TRUE(db);
  EXPECT_EQ((*db)->Scan({.table_name = "Music"}).value().count, 10);
  const auto described = (*db)->DescribeTable({.table_name = "Music"});
  EXPECT_EQ(described.value().table.item_count, 10);
  EXPECT_EQ(described.value().table.table_size_bytes, 10 * 7);
}

TEST_F(DatabaseDirectory, ASecondOpenIsRefusedWithAMessageThatNamesTheDirectory) {
  const auto db = OpenMusic({.directory = directory_});
  const auto second = Database::Open({.directory = directory_});
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message().find(directory_.string()), std::string::npos);
}

TEST_F(DatabaseDirectory, ADirectoryOfSomethingElseIsLeftAlone) {
  std::filesystem::create_directories(directory_);
  std::ofstream(directory_ / "thesis.txt") << "do not touch";
  const auto db = Database::Open({.directory = directory_});
  ASSERT_FALSE(db);
  EXPECT_TRUE(std::filesystem::exists(directory_ / "thesis.txt"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(directory_), {}), 1);
}

}  // namespace database_test
}  // namespace stator
