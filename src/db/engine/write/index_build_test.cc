#include "engine/write/index_build.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/testing/borrowed_store.h"
#include "engine/testing/engine_writes.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator {
namespace index_build_test {

using Rows = std::map<std::string, std::string>;

class IndexBuildTest : public ::testing::Test {
 protected:
  IndexBuildTest() { Open(); }

  void Open() {
    engine_.reset();
    Result<std::unique_ptr<Engine>> opened =
        Engine::Open(std::make_unique<BorrowedStore>(*store_), {"eu-west-1", "1", &clock_});
    ASSERT_TRUE(opened) << opened.error().message();
    engine_ = *std::move(opened);
    if (number_ != 0) return;
    Table table;
    table.name = "Music";
    table.keys.hash = {{"pk", ScalarType::kN}};
    table.attribute_definitions = {{"pk", ScalarType::kN}, {"year", ScalarType::kN}};
    number_ = (*engine_->catalog().Add(std::move(table)))->number;
  }

  TablePtr Current() { return engine_->catalog().FindByNumber(number_); }

  // Adds a global index by year that holds the keys and the name.
  void AddIndex() {
    ASSERT_TRUE(engine_->catalog().Change(number_, [this](Table& table) -> Result<void> {
      Index index;
      index.number = index_ = table.next_index_number++;
      index.name = "by-year";
      index.global = true;
      index.keys.hash = {{"year", ScalarType::kN}};
      index.projection = ProjectionType::kInclude;
      index.non_key_attributes = {"name"};
      index.status = IndexStatus::kCreating;
      index.backfilling = false;
      CompleteIndex(table.keys, index);
      table.indexes.push_back(std::move(index));
      return {};
    }));
  }

  void Write(ItemWrite::Kind kind, Item item) {
    MustWrite(*engine_, {.kind = kind, .table = Current(), .item = std::move(item)});
  }
  void Put(int pk, int year, std::string_view name) {
    Write(ItemWrite::Kind::kPut,
          Item{{"pk", pk}, {"year", year}, {"name", name}, {"notes", "not in the index"}});
  }

  Rows Scan(const KeyRange& range) {
    Rows rows;
    EXPECT_TRUE(
        store_->Scan(range, Direction::kForward, [&](std::string_view key, std::string_view row) {
          rows.emplace(key, row);
          return true;
        }));
    return rows;
  }

  // What the index should hold, computed from the items.
  Rows ExpectedEntries() {
    const TablePtr table = Current();
    const Index& index = *table->FindIndex(index_);
    Rows entries;
    for (const auto& [key, row] : Scan(IndexRows(number_, 0))) {
      const ItemView item(row);
      if (auto entry_key = EntryRowKey(engine_->hasher(), *table, index, item)) {
        entries.emplace(*entry_key, ProjectTopLevel(item, index.entry_attributes));
      }
    }
    return entries;
  }

  void ExpectComplete() {
    const TablePtr table = Current();
    const Index* index = table->FindIndex(index_);
    ASSERT_NE(index, nullptr);
    EXPECT_EQ(index->status, IndexStatus::kActive);
    EXPECT_FALSE(index->backfilling.has_value());
    const Rows entries = Scan(IndexRows(number_, index_));
    EXPECT_EQ(entries, ExpectedEntries());
    EXPECT_EQ(index->counts->items, std::ssize(entries));
    std::int64_t bytes = 0;
    for (const auto& [key, row] : entries) {
      bytes += static_cast<std::int64_t>(ItemSizeBytes(ItemView(row)));
    }
    EXPECT_EQ(index->counts->bytes, bytes);
  }

  SystemClock clock_;
  std::unique_ptr<Store> store_ = OpenMemoryStore();
  std::unique_ptr<Engine> engine_;
  TableNumber number_ = 0;
  IndexNumber index_ = 0;
};

TEST_F(IndexBuildTest, AnEmptyTableIsIndexedAtOnce) {
  AddIndex();
  engine_->StartBackfill(number_, index_);
  engine_->background().WaitUntilIdle();
  ExpectComplete();
}

TEST_F(IndexBuildTest, ItemsThatAreThereAreIndexedAndOthersSkipped) {
  for (int pk = 0; pk < 1200; ++pk) Put(pk, 1900 + pk % 100, "x");
  Write(ItemWrite::Kind::kPut, Item{{"pk", 5000}, {"name", "without a year"}});
  Write(ItemWrite::Kind::kPut, Item{{"pk", 5001}, {"year", "not a number"}});
  AddIndex();
  engine_->StartBackfill(number_, index_);
  engine_->background().WaitUntilIdle();
  EXPECT_EQ(Scan(IndexRows(number_, index_)).size(), 1200U);
  ExpectComplete();
}

TEST_F(IndexBuildTest, WritersMayGoOnWhileAnIndexIsBuilt) {
  constexpr int kItems = 3000;
  for (int pk = 0; pk < kItems; ++pk) Put(pk, pk % 50, "before");
  std::atomic<bool> stop = false;
  std::vector<std::thread> writers;
  for (unsigned seed : {1U, 2U, 3U}) {
    writers.emplace_back([this, seed, &stop] {
      std::mt19937 random(seed);
      while (!stop) {
        const int pk = static_cast<int>(random() % (kItems + 500));
        switch (random() % 4) {
          case 0:
            Write(ItemWrite::Kind::kDelete, Item{{"pk", pk}});
            break;
          case 1:
            Put(pk, static_cast<int>(random() % 50), "moved");
            break;
          case 2:
            Put(pk, pk % 50, "renamed");
            break;
          // The entry stays as it is, or as it is yet to be written.
          default:
            Write(ItemWrite::Kind::kPut,
                  Item{{"pk", pk}, {"year", pk % 50}, {"name", "before"}, {"notes", "other"}});
        }
      }
    });
  }
  AddIndex();
  engine_->StartBackfill(number_, index_);
  engine_->background().WaitUntilIdle();
  stop = true;
  for (std::thread& writer : writers) writer.join();
  EXPECT_EQ(Scan(IndexRows(number_, index_)), ExpectedEntries());
}

TEST_F(IndexBuildTest, CountsAreRightWhateverWritersDidBeforeTheBuildReachedAnItem) {
  for (int pk = 0; pk < 100; ++pk) Put(pk, pk, "before");
  AddIndex();
  // Writers know the index by now, and count as if the entries had been there.
  for (int pk = 0; pk < 50; ++pk) Put(pk, pk + 1, "after");
  for (int pk = 50; pk < 60; ++pk) Write(ItemWrite::Kind::kDelete, Item{{"pk", pk}});
  engine_->StartBackfill(number_, index_);
  engine_->background().WaitUntilIdle();
  ExpectComplete();
}

TEST_F(IndexBuildTest, ABuildThatWasInterruptedIsFinishedAfterARestart) {
  for (int pk = 0; pk < 1700; ++pk) Put(pk, pk % 10, "x");
  AddIndex();
  {
    WriteGate gate;
    IndexBuild build(*store_, engine_->catalog(), engine_->hasher(), gate, number_, index_);
    for (int step = 0; step < 3; ++step) EXPECT_EQ(build.Step(), true);
  }
  EXPECT_EQ(Current()->FindIndex(index_)->backfilling, true);
  Open();
  engine_->background().WaitUntilIdle();
  EXPECT_EQ(Current()->FindIndex(index_)->status, IndexStatus::kActive);
  EXPECT_EQ(Scan(IndexRows(number_, index_)), ExpectedEntries());
}

TEST_F(IndexBuildTest, ABuildEndsWhenItsIndexIsRemoved) {
  for (int pk = 0; pk < 700; ++pk) Put(pk, pk % 10, "x");
  AddIndex();
  WriteGate gate;
  IndexBuild build(*store_, engine_->catalog(), engine_->hasher(), gate, number_, index_);
  EXPECT_EQ(build.Step(), true);
  EXPECT_EQ(build.Step(), true);
  ASSERT_TRUE(engine_->catalog().Change(number_, [](Table& table) -> Result<void> {
    table.indexes[0].status = IndexStatus::kDeleting;
    return {};
  }));
  EXPECT_EQ(build.Step(), false);
  engine_->StartIndexRemoval(number_, index_);
  engine_->background().WaitUntilIdle();
  EXPECT_TRUE(Scan(IndexRows(number_, index_)).empty());
  EXPECT_TRUE(Current()->indexes.empty());
  EXPECT_EQ(Current()->attribute_definitions,
            (std::vector<std::pair<std::string, ScalarType>>{{"pk", ScalarType::kN}}));
  EXPECT_EQ(Scan(IndexRows(number_, 0)).size(), 700U);
}

TEST_F(IndexBuildTest, ADroppedTableIsClearedEvenAfterARestart) {
  for (int pk = 0; pk < 10; ++pk) Put(pk, pk, "x");
  ASSERT_TRUE(engine_->catalog().Drop(number_));
  EXPECT_EQ(Scan(TableRows(number_)).size(), 10U);
  Open();
  engine_->background().WaitUntilIdle();
  EXPECT_TRUE(Scan(TableRows(number_)).empty());
  EXPECT_TRUE(engine_->catalog().Dropped().empty());
}

}  // namespace index_build_test
}  // namespace stator
