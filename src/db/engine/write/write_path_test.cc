#include "engine/write/write_path.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "engine/catalog/row_key.h"

namespace stator {
namespace write_path_test {

// Remembers what a change writes.
class RecordingBatch final : public WriteBatch {
 public:
  void Put(std::string_view key, std::string_view value) override {
    puts[std::string(key)] = std::string(value);
  }
  void Delete(std::string_view key) override { deletes.emplace_back(key); }
  void DeleteRange(const KeyRange&) override {}
  void Append(std::string_view, std::string_view) override {}

  std::map<std::string, std::string> puts;
  std::vector<std::string> deletes;
};

class WritePathTest : public ::testing::Test {
 protected:
  WritePathTest() {
    table_.number = 1;
    table_.keys = {.hash = {{"pk", ScalarType::kS}}, .range = {}};
    Index index{.number = 1, .name = "byState", .global = true};
    index.keys = {.hash = {{"state", ScalarType::kS}}, .range = {}};
    index.projection = ProjectionType::kKeysOnly;
    CompleteIndex(table_.keys, index);
    table_.indexes.push_back(std::move(index));
  }

  // Writes the change and keeps batch, counts and units.
  void Change(const std::optional<Item>& before, const std::optional<Item>& after) {
    batch_ = {};
    counts_.clear();
    units_ = {};
    ItemChange change{table_, "row", std::nullopt, std::nullopt};
    if (before) change.before = before->view();
    if (after) change.after = after->view();
    WriteChange(hasher_, change, batch_, counts_, &units_);
  }

  Table table_;
  KeyHasher hasher_{std::array<char, KeyHasher::kSecretBytes>{}};
  RecordingBatch batch_;
  std::vector<CountChange> counts_;
  WriteUnits units_;
};

TEST_F(WritePathTest, ANewItemWritesItsRowAndItsEntry) {
  Change(std::nullopt, Item{{"pk", "a"}, {"state", "OPEN"}, {"note", "x"}});
  EXPECT_EQ(batch_.puts.size(), 2U);
  EXPECT_EQ(units_.table, 1);
  ASSERT_EQ(units_.global_indexes.size(), 1U);
  EXPECT_EQ(units_.global_indexes[0].second, 1);
  ASSERT_EQ(counts_.size(), 2U);
  EXPECT_EQ(counts_[1].items, 1);
}

TEST_F(WritePathTest, AnEntryIsWrittenOnlyWhenItsProjectionChanges) {
  Change(Item{{"pk", "a"}, {"state", "OPEN"}, {"note", "x"}},
         Item{{"pk", "a"}, {"state", "OPEN"}, {"note", "y"}});
  EXPECT_EQ(batch_.puts.size(), 1U);
  EXPECT_TRUE(units_.global_indexes.empty());
}

TEST_F(WritePathTest, AChangedIndexKeyIsADeleteAndAPut) {
  Change(Item{{"pk", "a"}, {"state", "OPEN"}}, Item{{"pk", "a"}, {"state", "DONE"}});
  EXPECT_EQ(batch_.puts.size(), 2U);
  EXPECT_EQ(batch_.deletes.size(), 1U);
  EXPECT_EQ(units_.global_indexes[0].second, 2);
}

TEST_F(WritePathTest, ARemovedIndexKeyTakesTheEntryAway) {
  Change(Item{{"pk", "a"}, {"state", "OPEN"}}, Item{{"pk", "a"}});
  EXPECT_EQ(batch_.puts.size(), 1U);
  EXPECT_EQ(batch_.deletes.size(), 1U);
  EXPECT_EQ(counts_[1].items, -1);
}

TEST_F(WritePathTest, AWriteThatChangesNothingWritesNothingAndIsCharged) {
  const Item item{{"pk", "a"}, {"state", "OPEN"}, {"note", std::string(1500, 'x')}};
  Change(item, item);
  EXPECT_TRUE(batch_.puts.empty());
  EXPECT_TRUE(counts_.empty());
  EXPECT_EQ(units_.table, 2);
}

TEST_F(WritePathTest, AnIndexThatIsBeingDeletedIsLeftAlone) {
  table_.indexes[0].status = IndexStatus::kDeleting;
  Change(std::nullopt, Item{{"pk", "a"}, {"state", "OPEN"}});
  EXPECT_EQ(batch_.puts.size(), 1U);
}

TEST_F(WritePathTest, TheLargerOfOldAndNewIsCharged) {
  const Item small{{"pk", "a"}};
  const Item large{{"pk", "a"}, {"note", std::string(3000, 'x')}};
  Change(large, small);
  EXPECT_EQ(units_.table, 3);
  Change(large, std::nullopt);
  EXPECT_EQ(units_.table, 3);
  Change(std::nullopt, std::nullopt);
  EXPECT_EQ(units_.table, 1);
}

TEST_F(WritePathTest, AFailedConditionCarriesTheItemOnlyWhenAsked) {
  NameMap names;
  ValueMap values = {{":v", AttributeValue("DONE")}};
  Placeholders placeholders(&names, &values, Wording::kCurrent);
  ItemWrite write{.kind = ItemWrite::Kind::kDelete, .item = Item{{"pk", "a"}}};
  write.condition = *Condition::Parse("phase = :v", ExpressionKind::kCondition, placeholders);
  const Item stored{{"pk", "a"}, {"phase", "OPEN"}};

  Result<DecidedItem> refused = DecideItem(table_, write, stored.view());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kConditionalCheckFailed);
  EXPECT_TRUE(refused.error().item().empty());

  write.want_item_on_failure = true;
  refused = DecideItem(table_, write, stored.view());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().item(), stored.encoded());
}

// Adds one to `done` when it is done.
class Tick final : public Mutation {
 public:
  Tick(WriteGate& gate, std::atomic<int>& done) : gate_(gate), done_(done) {}
  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    batch.Append("log", "tick");
    return Verdict::kCommit;
  }
  void Done(StorageResult<void> status) override {
    EXPECT_TRUE(status);
    done_.fetch_add(1);
    gate_.Leave();
  }

 private:
  WriteGate& gate_;
  std::atomic<int>& done_;
};

TEST(WriteGate, ShowsWhatWasCountedAndLosesNoWrite) {
  WriteGate gate;
  const std::unique_ptr<Store> store = OpenMemoryStore();
  std::atomic<int> done = 0;
  constexpr int kThreads = 4;
  constexpr int kWrites = 2'000;
  std::vector<std::jthread> writers;
  for (int t = 0; t < kThreads; ++t) {
    writers.emplace_back([&] {
      for (int i = 0; i < kWrites; ++i) gate.Enter(*store, std::make_unique<Tick>(gate, done));
    });
  }
  for (int look = 0; look < 50; ++look) {
    std::unique_ptr<ReadView> view;
    int counted = 0;
    gate.WhileNothingIsInFlight(*store, [&] {
      view = store->Snapshot();
      counted = done.load();
    });
    int visible = 0;
    ASSERT_TRUE(store->Scan(
        {"", ""}, Direction::kForward,
        [&](std::string_view, std::string_view) { return ++visible > 0; }, view.get()));
    ASSERT_EQ(visible, counted);
  }
  writers.clear();
  gate.WhileNothingIsInFlight(*store, [&] { EXPECT_EQ(done.load(), kThreads * kWrites); });
}

}  // namespace write_path_test
}  // namespace stator
