#include "engine/history/recovery.h"

#include <gtest/gtest.h>

#include <future>
#include <map>
#include <string>
#include <vector>

#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/history/history.h"
#include "engine/testing/borrowed_store.h"
#include "engine/testing/engine_writes.h"

namespace stator {
namespace recovery_test {

using std::chrono::milliseconds;

// Refuses every write after a simulated crash.
class CrashingStore final : public BorrowedStore {
 public:
  CrashingStore(Store& store, const bool& is_crashed)
      : BorrowedStore(store), is_crashed_(is_crashed) {}
  void Mutate(std::unique_ptr<Mutation> mutation) override {
    if (!is_crashed_) return BorrowedStore::Mutate(std::move(mutation));
    mutation->Done(std::unexpected(StorageError{StorageError::Kind::kIo, "the store has crashed"}));
  }

 private:
  const bool& is_crashed_;
};

class RecoveryTest : public ::testing::Test {
 protected:
  RecoveryTest() {
    Open();
    Table table = Definition("Music");
    number_ = (*engine_->catalog().Add(std::move(table)))->number;
  }

  static Table Definition(std::string name) {
    Table table;
    table.name = std::move(name);
    table.arn = "arn:" + table.name;
    table.id = table.name + "-id";
    table.keys.hash = {{"pk", ScalarType::kN}};
    table.attribute_definitions = {{"pk", ScalarType::kN}, {"year", ScalarType::kN}};
    Index index;
    index.number = table.next_index_number++;
    index.name = "by-year";
    index.global = true;
    index.keys.hash = {{"year", ScalarType::kN}};
    CompleteIndex(table.keys, index);
    table.indexes.push_back(std::move(index));
    return table;
  }

  void Open() {
    engine_.reset();
    is_crashed_ = false;
    Result<std::unique_ptr<Engine>> opened =
        Engine::Open(std::make_unique<CrashingStore>(*store_, is_crashed_), {"r", "1", &clock_});
    ASSERT_TRUE(opened) << opened.error().message();
    engine_ = *std::move(opened);
  }

  TablePtr Find(std::string_view name) { return engine_->catalog().Find(name); }

  void Put(int pk, int year) {
    MustWrite(*engine_, {.table = Find("Music"), .item = Item{{"pk", pk}, {"year", year}}});
  }

  // Runs on the background thread and waits.
  template <class Function>
  auto InBackground(Function function) {
    std::promise<decltype(function())> done;
    engine_->background().Post([&] { done.set_value(function()); });
    return done.get_future().get();
  }

  // Rows of a table or index, without the prefix.
  std::map<std::string, std::string> Rows(const Table& table, IndexNumber index) {
    std::map<std::string, std::string> rows;
    EXPECT_TRUE(store_->Scan(IndexRows(table.number, index), Direction::kForward,
                             [&](std::string_view key, std::string_view value) {
                               rows[std::string(key.substr(kRowPrefixBytes))] = value;
                               return true;
                             }));
    return rows;
  }
  void ExpectSame(const Table& a, const Table& b) {
    EXPECT_EQ(Rows(a, 0), Rows(b, 0));
    EXPECT_EQ(Rows(a, 1), Rows(b, 1));
    EXPECT_EQ(a.counts->items, b.counts->items);
    EXPECT_EQ(a.counts->bytes, b.counts->bytes);
    EXPECT_EQ(a.indexes[0].counts->items, b.indexes[0].counts->items);
  }
  std::vector<std::string> Checkpoints() { return store_->ListCheckpoints().value(); }

  ManualClock clock_{TimeMs(milliseconds(1'769'860'800'000))};
  std::unique_ptr<Store> store_ = OpenMemoryStore();
  bool is_crashed_ = false;
  std::unique_ptr<Engine> engine_;
  TableNumber number_ = 0;
};

TEST_F(RecoveryTest, ABackupIsThereAfterARestart) {
  Put(1, 2000);
  const BackupPtr made = InBackground(
      [&] { return *engine_->recovery().MakeBackup(*Find("Music"), "first", BackupType::kUser); });
  EXPECT_EQ(made->arn, "arn:Music/backup/" + made->id);
  EXPECT_EQ(made->id.substr(0, 15), "01769860800000-");
  Open();
  const BackupPtr found = engine_->recovery().backups().Find(made->id);
  ASSERT_TRUE(found);
  EXPECT_EQ(EncodeBackup(*found), EncodeBackup(*made));
  EXPECT_EQ(Checkpoints(), std::vector<std::string>{made->id});
}

TEST_F(RecoveryTest, ABackupIsRestoredWithItsIndexesAndCounts) {
  for (int pk = 0; pk < 2'000; ++pk) Put(pk, pk % 50);
  const BackupPtr backup = InBackground(
      [&] { return *engine_->recovery().MakeBackup(*Find("Music"), "first", BackupType::kUser); });
  InBackground([&] {
    const TablePtr restored = *engine_->recovery().RestoreBackup(*backup, Definition("Copy"));
    EXPECT_EQ(restored->status, TableStatus::kCreating);
    EXPECT_FALSE(engine_->FindTable("Copy"));
    return true;
  });
  engine_->background().WaitUntilIdle();
  EXPECT_EQ(Find("Copy")->status, TableStatus::kActive);
  EXPECT_EQ(Find("Copy")->restored_from->backup_arn, backup->arn);
  ExpectSame(*Find("Music"), *Find("Copy"));
  EXPECT_EQ(Checkpoints().size(), 1U);
}

TEST_F(RecoveryTest, ARestoreGoesOnAfterEveryCrash) {
  for (int pk = 0; pk < 3'000; ++pk) Put(pk, pk % 50);
  ASSERT_TRUE(InBackground([&] { return engine_->recovery().EnableHistory(number_, {}); }));
  const TimeMs at = clock_.Now();
  const auto items = Rows(*Find("Music"), 0);
  const auto entries = Rows(*Find("Music"), 1);
  clock_.Advance(milliseconds(1'000));
  for (int pk = 0; pk < 500; ++pk) Put(pk * 3, 7'777);
  ASSERT_TRUE(InBackground(
      [&] { return engine_->recovery().RestorePast(*Find("Music"), at, Definition("Copy")); }));
  // The source and its history are deleted during the restore.
  ASSERT_TRUE(InBackground([&] { return engine_->recovery().DisableHistory(number_); }));
  int crashes = 0;
  while (Find("Copy")->status == TableStatus::kCreating && crashes < 50) {
    // A task runs between two slices.
    InBackground([&] { return is_crashed_ = true; });
    engine_->background().Stop();
    ++crashes;
    Open();
  }
  engine_->background().WaitUntilIdle();
  const TablePtr copy = Find("Copy");
  ASSERT_TRUE(copy);
  EXPECT_EQ(copy->status, TableStatus::kActive);
  EXPECT_EQ(Rows(*copy, 0), items);
  EXPECT_EQ(Rows(*copy, 1), entries);
  EXPECT_EQ(copy->counts->items, static_cast<std::int64_t>(items.size()));
  EXPECT_EQ(copy->indexes[0].counts->items, static_cast<std::int64_t>(entries.size()));
  EXPECT_TRUE(Checkpoints().empty());
}

TEST_F(RecoveryTest, CheckpointsThatNothingRefersToAreRemovedAtTheStart) {
  ASSERT_TRUE(store_->MakeCheckpoint("0-orphan"));
  const BackupPtr backup = InBackground(
      [&] { return *engine_->recovery().MakeBackup(*Find("Music"), "first", BackupType::kUser); });
  Open();
  EXPECT_EQ(Checkpoints(), std::vector<std::string>{backup->id});
}

TEST_F(RecoveryTest, ARestoreThatCannotBeCompletedTakesItsTableWithIt) {
  const BackupPtr backup = InBackground(
      [&] { return *engine_->recovery().MakeBackup(*Find("Music"), "first", BackupType::kUser); });
  ASSERT_TRUE(store_->DeleteCheckpoint(backup->id));
  ASSERT_TRUE(
      InBackground([&] { return engine_->recovery().RestoreBackup(*backup, Definition("Copy")); }));
  engine_->background().WaitUntilIdle();
  EXPECT_FALSE(Find("Copy"));
}

TEST_F(RecoveryTest, ABackupIsInUseWhileATableIsFilledFromIt) {
  for (int pk = 0; pk < 1'000; ++pk) Put(pk, 1);
  InBackground([&] {
    const BackupPtr backup =
        *engine_->recovery().MakeBackup(*Find("Music"), "first", BackupType::kUser);
    EXPECT_FALSE(engine_->recovery().IsInUse(*backup));
    EXPECT_TRUE(engine_->recovery().RestoreBackup(*backup, Definition("Copy")));
    EXPECT_TRUE(engine_->recovery().IsInUse(*backup));
    return true;
  });
  engine_->background().WaitUntilIdle();
  EXPECT_FALSE(engine_->recovery().IsInUse(*engine_->recovery().backups().All().front()));
}

TEST_F(RecoveryTest, ADeletionThatACrashCutOffIsFinishedWithOneBackup) {
  ASSERT_TRUE(InBackground([&] { return engine_->recovery().EnableHistory(number_, {}); }));
  Put(1, 1);
  ASSERT_TRUE(InBackground([&] { return engine_->recovery().BackUpForDeletion(Find("Music")); }));
  EXPECT_FALSE(engine_->FindTable("Music"));
  Open();
  engine_->background().WaitUntilIdle();
  EXPECT_FALSE(Find("Music"));
  const std::vector<BackupPtr> backups = engine_->recovery().backups().All();
  ASSERT_EQ(backups.size(), 1U);
  EXPECT_EQ(backups[0]->name, "Music$DeletedTableBackup");
  EXPECT_EQ(backups[0]->type, BackupType::kSystem);
  EXPECT_EQ(backups[0]->items, 1);
  EXPECT_TRUE(engine_->catalog().Dropped().empty());
}

TEST_F(RecoveryTest, BackupsOfTheSystemGoAfterThirtyFiveDays) {
  ASSERT_TRUE(InBackground([&] { return engine_->recovery().EnableHistory(number_, {}); }));
  ASSERT_TRUE(InBackground([&] { return engine_->recovery().BackUpForDeletion(Find("Music")); }));
  clock_.Advance(std::chrono::days(34));
  engine_->background().WakeDuties();
  engine_->background().WaitUntilIdle();
  EXPECT_EQ(Checkpoints().size(), 1U);
  clock_.Advance(std::chrono::days(1));
  engine_->background().WakeDuties();
  engine_->background().WaitUntilIdle();
  EXPECT_TRUE(engine_->recovery().backups().All().empty());
  EXPECT_TRUE(Checkpoints().empty());
}

TEST_F(RecoveryTest, AHistoryThatACrashLeftBehindIsCleared) {
  ASSERT_TRUE(InBackground([&] { return engine_->recovery().EnableHistory(number_, {}); }));
  Put(1, 1);
  ASSERT_TRUE(engine_->catalog().Change(number_, [](Table& table) -> Result<void> {
    table.recovery.reset();
    return {};
  }));
  Open();
  engine_->background().WaitUntilIdle();
  int records = 0;
  ASSERT_TRUE(store_->Scan(HistoryRows(number_), Direction::kForward,
                           [&](std::string_view, std::string_view) { return ++records > 0; }));
  EXPECT_EQ(records, 0);
}

TEST_F(RecoveryTest, ADamagedBackupRowIsReportedAtTheStart) {
  EXPECT_FALSE(DecodeBackup("{}"));
  EXPECT_FALSE(DecodeBackup("no JSON"));
  EXPECT_FALSE(DecodeBackup(R"({"format":1,"id":"x","name":"n","arn":"a","type":"USER",
      "creationMs":1,"items":0,"bytes":0,"table":"{}"})"));
}

}  // namespace recovery_test
}  // namespace stator
