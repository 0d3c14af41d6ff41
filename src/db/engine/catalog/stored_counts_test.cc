#include "engine/catalog/stored_counts.h"

#include <gtest/gtest.h>

#include <memory>

#include "engine/catalog/row_key.h"
#include "engine/engine.h"

namespace stator {
namespace stored_counts_test {

class StoredCountsTest : public ::testing::Test {
 protected:
  StoredCountsTest() : store_(OpenMemoryStore()), catalog_(*Catalog::Load(*store_)) {
    Table table;
    table.name = "Music";
    table.keys = {.hash = {{"pk", ScalarType::kS}}, .range = {}};
    table_ = *catalog_->Add(std::move(table));
  }

  std::unique_ptr<Store> store_;
  std::unique_ptr<Catalog> catalog_;
  TablePtr table_;
};

TEST_F(StoredCountsTest, AreTakenOnce) {
  table_->counts->items = 12;
  table_->counts->bytes = 3456;
  ASSERT_TRUE(StoreCounts(*store_, *catalog_));
  table_->counts->items = 0;
  table_->counts->bytes = 0;

  EXPECT_TRUE(TakeStoredCounts(*store_, *catalog_).value());
  EXPECT_EQ(table_->counts->items, 12);
  EXPECT_EQ(table_->counts->bytes, 3456);
  EXPECT_FALSE(TakeStoredCounts(*store_, *catalog_).value());
}

TEST_F(StoredCountsTest, AreNotTakenWhenATableIsMissingFromThem) {
  ASSERT_TRUE(StoreCounts(*store_, *catalog_));
  Table another;
  another.name = "Books";
  another.keys = table_->keys;
  ASSERT_TRUE(catalog_->Add(std::move(another)));
  EXPECT_FALSE(TakeStoredCounts(*store_, *catalog_).value());
}

TEST_F(StoredCountsTest, CountingAddsWhatWasThereToWhatWritersChangeMeanwhile) {
  SystemClock clock;
  auto engine = Engine::Open(OpenMemoryStore(), {.region = "r", .account = "a", .clock = &clock});
  ASSERT_TRUE(engine);
  Table table;
  table.name = "Music";
  table.keys = table_->keys;
  const TablePtr added = *(*engine)->catalog().Add(std::move(table));
  const auto put = [&](int i) {
    ItemWrite write{.table = added, .item = Item{{"pk", std::to_string(i)}}};
    std::vector<ItemWrite> writes;
    writes.push_back(std::move(write));
    (*engine)->WriteItems(std::move(writes),
                          [](Result<std::vector<WriteOutcome>> outcome) { EXPECT_TRUE(outcome); });
  };
  for (int i = 0; i < 5000; ++i) put(i);
  added->counts->items = 0;
  added->counts->bytes = 0;

  RowCounter counter((*engine)->store(), (*engine)->catalog());
  int slices = 0;
  for (bool more = true; more; ++slices) {
    put(10'000 + slices);
    more = counter.Step().value();
  }
  EXPECT_GT(slices, 1);
  EXPECT_EQ(added->counts->items, 5000 + slices);
}

}  // namespace stored_counts_test
}  // namespace stator
