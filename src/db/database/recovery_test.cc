// Tables under load, restored to many instants: the items and every index must be as they were.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "stator/database.h"
#include "storage/testing/test_directory.h"

namespace stator {
namespace recovery_test {

using std::chrono::milliseconds;

constexpr int kWriters = 4;
constexpr int kKeys = 150;
const std::vector<std::string> kIndexes = {"by_color", "by_size", "by_rank"};

constexpr std::string_view kCreateTable = R"({
    "TableName": "Things", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": "pk", "AttributeType": "N"}, {"AttributeName": "sk", "AttributeType": "N"},
        {"AttributeName": "color", "AttributeType": "S"}, {"AttributeName": "size", "AttributeType": "N"},
        {"AttributeName": "rank", "AttributeType": "N"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
    "LocalSecondaryIndexes": [{"IndexName": "by_rank", "Projection": {"ProjectionType": "ALL"},
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "rank", "KeyType": "RANGE"}]}],
    "GlobalSecondaryIndexes": [
        {"IndexName": "by_color", "Projection": {"ProjectionType": "KEYS_ONLY"},
         "KeySchema": [{"AttributeName": "color", "KeyType": "HASH"}]},
        {"IndexName": "by_size", "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["note"]},
         "KeySchema": [{"AttributeName": "size", "KeyType": "HASH"}, {"AttributeName": "color", "KeyType": "RANGE"}]}]})";

// Encoded items of the table, and of each index by its name.
using Contents = std::map<std::string, std::multiset<std::string>>;

class RecoveryUnderLoad : public ::testing::TestWithParam<bool> {
 protected:
  RecoveryUnderLoad() { Open(); }

  void Open() {
    // The clock goes on from where it stands.
    if (database_) start_ = database_->clock().Now();
    database_.reset();
    DatabaseOptions options{.durability = Durability::kOff, .clock = ClockSetting::FixedAt(start_)};
    if (GetParam()) options.directory = directory_.path();
    Result<std::unique_ptr<Database>> opened = Database::Open(options);
    ASSERT_TRUE(opened) << opened.error().message();
    database_ = *std::move(opened);
  }

  void Execute(std::string_view operation, const std::string& body) {
    const Result<std::string> answer = database_->Execute(operation, body);
    ASSERT_TRUE(answer) << operation << ": " << answer.error().message();
  }

  std::multiset<std::string> ScanAll(const std::string& table,
                                     const std::optional<std::string>& index) {
    std::multiset<std::string> items;
    ScanRequest request{.table_name = table, .index_name = index};
    for (;;) {
      const Result<ScanResponse> page = database_->Scan(request);
      EXPECT_TRUE(page) << page.error().message();
      if (!page) return items;
      for (std::size_t i = 0; i < page->items->size(); ++i) {
        items.insert(std::string((*page->items)[i].encoded()));
      }
      if (!page->last_evaluated_key) return items;
      request.exclusive_start_key = page->last_evaluated_key;
    }
  }
  Contents ContentsOf(const std::string& table) {
    Contents contents;
    contents["table"] = ScanAll(table, std::nullopt);
    for (const std::string& index : kIndexes) contents[index] = ScanAll(table, index);
    return contents;
  }

  void WriteOne(std::mt19937& random) {
    const auto any = [&random](unsigned count) { return static_cast<int>(random() % count); };
    const int pk = any(10);
    const int sk = any(kKeys / 10);
    if (any(4) == 0) {
      EXPECT_TRUE(
          database_->DeleteItem({.table_name = "Things", .key = Item{{"pk", pk}, {"sk", sk}}}));
      return;
    }
    Item item{{"pk", pk},
              {"sk", sk},
              {"color", "color" + std::to_string(any(5))},
              {"size", any(7)},
              {"rank", any(3)},
              {"note", std::string(static_cast<std::size_t>(any(300)), 'n')}};
    EXPECT_TRUE(database_->PutItem({.table_name = "Things", .item = std::move(item)}));
  }

  // All writers at once; the clock goes on beneath them, or stands still.
  void WriteForAWhile(unsigned seed, bool clock_moves) {
    std::vector<std::jthread> writers;
    for (unsigned writer = 0; writer < kWriters; ++writer) {
      writers.emplace_back([this, seed, writer, clock_moves] {
        std::mt19937 random(seed * 100 + writer);
        for (int i = 0; i < 60; ++i) {
          WriteOne(random);
          if (clock_moves && i % 10 == 0)
            database_->clock().Advance(milliseconds(1 + random() % 300));
        }
      });
    }
  }

  void Restore(const std::string& target, TimeMs at) {
    const auto restored = database_->RestoreTableToPointInTime(
        {.source_table_name = "Things",
         .target_table_name = target,
         .restore_date_time_ms = at.time_since_epoch().count()});
    ASSERT_TRUE(restored) << restored.error().message();
    database_->WaitForBackgroundWork();
  }

  void ExpectCounts(const std::string& table, const Contents& contents) {
    const auto described = database_->DescribeTable({.table_name = table});
    ASSERT_TRUE(described);
    EXPECT_EQ(described->table.item_count, static_cast<std::int64_t>(contents.at("table").size()));
    for (const auto& index : described->table.global_secondary_indexes) {
      EXPECT_EQ(index.item_count, static_cast<std::int64_t>(contents.at(index.index_name).size()));
    }
  }

  const TestDirectory directory_;
  TimeMs start_{milliseconds(1'769'860'800'000)};
  std::unique_ptr<Database> database_;
};

INSTANTIATE_TEST_SUITE_P(Stores, RecoveryUnderLoad, testing::Bool(),
                         [](const auto& test) { return test.param ? "RocksDB" : "Memory"; });

TEST_P(RecoveryUnderLoad, EveryInstantComesBack) {
  Execute("CreateTable", std::string(kCreateTable));
  WriteForAWhile(1, /*clock_moves=*/true);
  const auto enabled = database_->UpdateContinuousBackups(
      {.table_name = "Things",
       .point_in_time_recovery_specification =
           PointInTimeRecoverySpecification{.point_in_time_recovery_enabled = true}});
  ASSERT_TRUE(enabled);
  std::map<TimeMs, Contents> instants;
  instants[database_->clock().Now()] = ContentsOf("Things");
  for (unsigned phase = 2; phase < 10; ++phase) {
    // Some phases lie a millisecond apart, some a second, some hours.
    database_->clock().Advance(milliseconds(phase % 3 == 0   ? 1
                                            : phase % 3 == 1 ? 1'000
                                                             : 7'200'000));
    WriteForAWhile(phase, /*clock_moves=*/phase % 2 == 0);
    instants[database_->clock().Now()] = ContentsOf("Things");
  }
  database_->clock().Advance(milliseconds(1'000));

  // Writers go on while the past is restored.
  std::atomic<bool> stop = false;
  std::jthread writer([&] {
    std::mt19937 random(99);
    while (!stop) WriteOne(random);
  });
  int number = 0;
  for (const auto& [at, contents] : instants) {
    const std::string target = "Restored" + std::to_string(number++);
    Restore(target, at);
    EXPECT_EQ(ContentsOf(target), contents) << target;
    ExpectCounts(target, contents);
  }
  stop = true;
}

TEST_P(RecoveryUnderLoad, ABackupHoldsAStateBetweenTwoOfAWriter) {
  Execute("CreateTable", std::string(kCreateTable));
  // One writer counts up; every other item it writes carries the same count.
  std::atomic<bool> stop = false;
  std::atomic<int> acknowledged = 0;
  std::jthread writer([&] {
    for (int count = 1; !stop; ++count) {
      const std::string number = std::to_string(count);
      const std::string put = R"({"PutRequest": {"Item": {"pk": {"N": "1"}, "sk": {"N": "%"},
          "color": {"S": "red"}, "size": {"N": ")" +
                              number + R"("}}}})";
      std::string first = put;
      std::string second = put;
      first.replace(first.find('%'), 1, "1");
      second.replace(second.find('%'), 1, "2");
      EXPECT_TRUE(database_->Execute(
          "BatchWriteItem", R"({"RequestItems": {"Things": [)" + first + "," + second + "]}}"));
      acknowledged = count;
    }
  });
  while (acknowledged == 0) std::this_thread::yield();
  for (int round = 0; round < 4; ++round) {
    const int before = acknowledged;
    const auto made = database_->CreateBackup({.table_name = "Things", .backup_name = "backup"});
    ASSERT_TRUE(made) << made.error().message();
    const int after = acknowledged + 2;
    const std::string target = "Restored" + std::to_string(round);
    ASSERT_TRUE(database_->RestoreTableFromBackup(
        {.target_table_name = target, .backup_arn = made->details.backup_arn}));
    database_->WaitForBackgroundWork();
    const Contents contents = ContentsOf(target);
    ASSERT_EQ(contents.at("table").size(), 2U);
    EXPECT_EQ(contents.at("by_size").size(), 2U);
    std::set<int> counts;
    for (const std::string& item : contents.at("table")) {
      counts.insert(std::stoi(ItemView(item).Find("size")->N()));
    }
    EXPECT_EQ(counts.size(), 1U) << "half of a batch";
    EXPECT_GE(*counts.begin(), before);
    EXPECT_LE(*counts.begin(), after);
  }
  stop = true;
}

TEST_P(RecoveryUnderLoad, TheHistoryAndBackupsAreThereAfterARestart) {
  if (!GetParam()) GTEST_SKIP() << "memory is gone then";
  Execute("CreateTable", std::string(kCreateTable));
  Execute("UpdateContinuousBackups", R"({"TableName": "Things",
      "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true}})");
  WriteForAWhile(1, true);
  const TimeMs at = database_->clock().Now();
  const Contents then = ContentsOf("Things");
  const auto backup = database_->CreateBackup({.table_name = "Things", .backup_name = "backup"});
  ASSERT_TRUE(backup);
  database_->clock().Advance(milliseconds(5'000));
  WriteForAWhile(2, true);
  Open();
  WriteForAWhile(3, true);
  Restore("Past", at);
  EXPECT_EQ(ContentsOf("Past"), then);
  ASSERT_TRUE(database_->RestoreTableFromBackup(
      {.target_table_name = "Backup", .backup_arn = backup->details.backup_arn}));
  database_->WaitForBackgroundWork();
  EXPECT_EQ(ContentsOf("Backup"), then);
}

}  // namespace recovery_test
}  // namespace stator
