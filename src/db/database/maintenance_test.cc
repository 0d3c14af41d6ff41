// What `stator verify` finds, and what `stator repair` saves.
#include "database/maintenance.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string>

#include "stator/database.h"
#include "storage/store.h"
#include "storage/testing/test_directory.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace maintenance_test {

namespace fs = std::filesystem;

constexpr int kItems = 60;

std::unique_ptr<Database> Open(const std::string& directory) {
  auto database = Database::Open({.directory = directory});
  EXPECT_TRUE(database) << database.error().message();
  return *std::move(database);
}

void Run(Database& database, const std::string& operation, const std::string& json) {
  const Result<std::string> answer = database.Execute(operation, json);
  ASSERT_TRUE(answer) << operation << ": " << answer.error().message();
}

// A table with an index, a stream and a history; its rows are in table files, up to the last few.
void MakeData(const std::string& directory) {
  const auto database = Open(directory);
  Run(*database, "CreateTable", R"({"TableName":"Music","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},
                              {"AttributeName":"genre","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],
      "GlobalSecondaryIndexes":[{"IndexName":"ByGenre","Projection":{"ProjectionType":"KEYS_ONLY"},
        "KeySchema":[{"AttributeName":"genre","KeyType":"HASH"}]}],
      "StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"}})");
  Run(*database, "UpdateTimeToLive", R"({"TableName":"Music",
      "TimeToLiveSpecification":{"Enabled":true,"AttributeName":"until"}})");
  Run(*database, "UpdateContinuousBackups", R"({"TableName":"Music",
      "PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})");
  for (int i = 0; i < kItems; ++i) {
    const std::string number = std::to_string(i);
    Run(*database, "PutItem",
        R"({"TableName":"Music","Item":{"pk":{"S":"item)" + number + R"("},"genre":{"S":"g)" +
            std::to_string(i % 7) + R"("},"until":{"N":"32503680000"},"text":{"S":")" +
            std::string(800, 'x') + R"("}}})");
    if (i == kItems - 5) {
      Run(*database, "CreateBackup", R"({"TableName":"Music","BackupName":"before"})");
    }
  }
}

VerifyReport Verified(const std::string& directory) {
  const auto report = VerifyDirectory(directory, nullptr);
  EXPECT_TRUE(report) << report.error();
  return report.value_or(VerifyReport());
}

std::string Texts(const VerifyReport& report) {
  std::string texts;
  for (const std::string& problem : report.problems) texts += problem + "\n";
  return texts;
}

std::map<std::string, std::string> Contents(const std::string& directory) {
  std::map<std::string, std::string> contents;
  for (const auto& file : fs::recursive_directory_iterator(directory)) {
    if (!file.is_regular_file()) continue;
    std::ifstream stream(file.path(), std::ios::binary);
    contents[file.path()] = std::string(std::istreambuf_iterator<char>(stream), {});
  }
  return contents;
}

// Repairs a copy of the data after `damage`; the old directory stays as it is, the new one is sound.
RepairReport RepairAfter(const std::function<void(const std::string& directory)>& damage) {
  const TestDirectory parent;
  const std::string from = parent.path() + "/from";
  const std::string to = parent.path() + "/to";
  MakeData(from);
  damage(from);
  const auto before = Contents(from);
  EXPECT_FALSE(Verified(from).is_sound());
  const auto report = RepairDirectory(from, to, nullptr);
  EXPECT_TRUE(report) << report.error();
  EXPECT_EQ(Contents(from), before);
  if (!report) return {};
  EXPECT_TRUE(report->after.is_sound()) << Texts(report->after);
  const auto database = Open(to);
  Run(*database, "PutItem", R"({"TableName":"Music","Item":{"pk":{"S":"later"}}})");
  Run(*database, "DescribeContinuousBackups", R"({"TableName":"Music"})");
  return *report;
}

fs::path FileWith(const std::string& directory, const std::string& part) {
  fs::path largest;
  for (const auto& file : fs::directory_iterator(directory + "/db")) {
    if (file.path().filename().string().find(part) == std::string::npos) continue;
    if (largest.empty() || file.file_size() > fs::file_size(largest)) largest = file.path();
  }
  return largest;
}

void Flip(const fs::path& path, std::uintmax_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at));
  const int byte = file.get();
  file.seekp(static_cast<std::streamoff>(at));
  file.put(static_cast<char>(byte ^ 0x10));
}

// Changes rows behind the back of the database.
void ChangeRows(const std::string& directory,
                const std::function<bool(std::string_view key)>& is_deleted) {
  auto store = OpenRocksStore({.directory = directory});
  ASSERT_TRUE(store) << store.error().message;
  for (const auto& [key, value] : ScanAll(**store)) {
    if (!is_deleted(key)) continue;
    const std::string& deleted = key;
    ASSERT_TRUE(Apply(**store, [&](WriteBatch& batch) { batch.Delete(deleted); }));
  }
}

TEST(Maintenance, ASoundDirectoryIsSoundAndIsNotChanged) {
  const TestDirectory directory;
  MakeData(directory.path());
  const auto before = Contents(directory.path());
  const VerifyReport report = Verified(directory.path());
  EXPECT_TRUE(report.is_sound()) << Texts(report);
  EXPECT_TRUE(report.was_closed);
  EXPECT_EQ(report.tables, 1U);
  EXPECT_EQ(report.items, std::uint64_t{kItems});
  EXPECT_EQ(report.entries, std::uint64_t{kItems});
  EXPECT_EQ(report.records, std::uint64_t{2 * kItems});
  EXPECT_GE(report.table_files, 1U);
  EXPECT_EQ(Contents(directory.path()), before);
}

TEST(Maintenance, ADirectoryInUseOrOfSomethingElseCannotBeRead) {
  const TestDirectory directory;
  EXPECT_FALSE(VerifyDirectory(directory.path(), nullptr));
  EXPECT_FALSE(VerifyDirectory(directory.path() + "/missing", nullptr));
  EXPECT_TRUE(fs::is_empty(directory.path()));
  const auto database = Open(directory.path());
  const auto report = VerifyDirectory(directory.path(), nullptr);
  ASSERT_FALSE(report);
  EXPECT_NE(report.error().find("in use"), std::string::npos) << report.error();
}

TEST(Maintenance, IndexesExpiryAndLogsAreComparedAndMadeAgain) {
  int entries = 0;
  int expiries = 0;
  int records = 0;
  int items = 0;
  bool has_gap = false;
  const RepairReport report = RepairAfter([&](const std::string& directory) {
    ChangeRows(directory, [&](std::string_view key) {
      if (key[0] == 0x02 && key[6] == 1) return ++entries == 3;
      if (key[0] == 0x02 && key[6] == 0) return ++items == 5;
      if (key[0] == 0x04) return ++expiries == 4;
      return key[0] == 0x03 && ++records == 10;
    });
    const std::string found = Texts(Verified(directory));
    // The rows that are changed may be those of one item, which then lacks nothing.
    EXPECT_FALSE(found.empty());
    // Nobody can tell that the first or the last record of a shard is gone.
    has_gap = found.find("of a log are missing") != std::string::npos;
  });
  EXPECT_EQ(report.after.items, std::uint64_t{kItems - 1});
  EXPECT_EQ(report.after.entries, std::uint64_t{kItems - 1});
  // The stream from the gap on, and the whole history.
  if (has_gap) {
    EXPECT_LT(report.after.records, std::uint64_t{2 * kItems - 1});
  } else {
    EXPECT_EQ(report.after.records, std::uint64_t{2 * kItems - 1});
  }
}

TEST(Maintenance, ADamagedBlockCostsItsOwnRowsOnly) {
  const RepairReport report = RepairAfter([](const std::string& directory) {
    const fs::path table = FileWith(directory, ".sst");
    Flip(table, fs::file_size(table) / 2);
    EXPECT_NE(Texts(Verified(directory)).find(table.filename()), std::string::npos);
  });
  EXPECT_GE(report.lost_count, 1U);
  EXPECT_GE(report.after.items + report.after.records, std::uint64_t{kItems});
}

TEST(Maintenance, TableFilesAreReadWithoutAManifest) {
  for (const char* missing : {"MANIFEST", "CURRENT"}) {
    const RepairReport report = RepairAfter(
        [&](const std::string& directory) { fs::remove(FileWith(directory, missing)); });
    EXPECT_EQ(report.after.items, std::uint64_t{kItems});
    EXPECT_EQ(report.after.entries, std::uint64_t{kItems});
  }
}

TEST(Maintenance, WithoutALedgerEverythingIsSaved) {
  const RepairReport report =
      RepairAfter([&](const std::string& directory) { fs::remove(directory + "/STATOR.ledger"); });
  EXPECT_EQ(report.after.items, std::uint64_t{kItems});
}

TEST(Maintenance, ACutLogCostsTheCommitsBehindTheCut) {
  const RepairReport report = RepairAfter([](const std::string& directory) {
    const fs::path log = FileWith(directory, ".log");
    fs::resize_file(log, fs::file_size(log) / 2);
  });
  EXPECT_GE(report.after.items, std::uint64_t{kItems - 5});
  EXPECT_LT(report.after.items, std::uint64_t{kItems});
}

TEST(Maintenance, RepairWritesToANewDirectoryOnly) {
  const TestDirectory directory;
  const TestDirectory taken;
  MakeData(directory.path());
  MakeData(taken.path());
  EXPECT_FALSE(RepairDirectory(directory.path(), taken.path(), nullptr));
}

}  // namespace maintenance_test
}  // namespace stator
