// What every store promises about checkpoints. Reads and ranges are in store_contract_test.cc.
#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "storage/testing/store_contract.h"

namespace stator {
namespace store_contract_checkpoints_test {

class CheckpointContract : public StoreContract {
 protected:
  std::unique_ptr<Checkpoint> Opened(std::string_view id) {
    StorageResult<std::unique_ptr<Checkpoint>> opened = store_->OpenCheckpoint(id);
    EXPECT_TRUE(opened) << opened.error().message;
    return opened ? *std::move(opened) : nullptr;
  }
  std::vector<std::string> Ids() { return store_->ListCheckpoints().value(); }
};

INSTANTIATE_TEST_SUITE_P(Stores, CheckpointContract, testing::ValuesIn(StoreKinds()),
                         [](const auto& test) { return test.param.name; });

Pairs All(const Checkpoint& checkpoint, const KeyRange& range = {},
          Direction direction = Direction::kForward) {
  Pairs pairs;
  EXPECT_TRUE(checkpoint.Scan(range, direction, [&](std::string_view key, std::string_view value) {
    pairs.emplace_back(key, value);
    return true;
  }));
  return pairs;
}

TEST_P(CheckpointContract, KeepsWhatWasThereWhateverComesLater) {
  ASSERT_TRUE(Put(*store_, "a", "1"));
  ASSERT_TRUE(Put(*store_, "b", "2"));
  ASSERT_TRUE(store_->MakeCheckpoint("one"));
  ASSERT_TRUE(Put(*store_, "a", "changed"));
  ASSERT_TRUE(Put(*store_, "c", "new"));
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) { batch.Delete("b"); }));
  const std::unique_ptr<Checkpoint> checkpoint = Opened("one");
  EXPECT_EQ(All(*checkpoint), (Pairs{{"a", "1"}, {"b", "2"}}));
  EXPECT_EQ(ScanAll(*store_), (Pairs{{"a", "changed"}, {"c", "new"}}));
}

TEST_P(CheckpointContract, ReadsByKey) {
  ASSERT_TRUE(Put(*store_, "a", "1"));
  ASSERT_TRUE(store_->MakeCheckpoint("one"));
  const std::unique_ptr<Checkpoint> checkpoint = Opened("one");
  std::string value = "left over";
  EXPECT_EQ(checkpoint->Get("a", value), true);
  EXPECT_EQ(value, "1");
  EXPECT_EQ(checkpoint->Get("absent", value), false);
  EXPECT_EQ(value, "");
}

TEST_P(CheckpointContract, ScansRangesInBothDirectionsUntilItIsStopped) {
  for (const char* key : {"a", "b", "c", "d"}) ASSERT_TRUE(Put(*store_, key, key));
  ASSERT_TRUE(store_->MakeCheckpoint("one"));
  const std::unique_ptr<Checkpoint> checkpoint = Opened("one");
  EXPECT_EQ(All(*checkpoint, {"b", "d"}), (Pairs{{"b", "b"}, {"c", "c"}}));
  EXPECT_EQ(All(*checkpoint, {"b", ""}, Direction::kReverse),
            (Pairs{{"d", "d"}, {"c", "c"}, {"b", "b"}}));
  int seen = 0;
  ASSERT_TRUE(checkpoint->Scan({}, Direction::kForward,
                               [&](std::string_view, std::string_view) { return ++seen < 2; }));
  EXPECT_EQ(seen, 2);
}

TEST_P(CheckpointContract, AreListedInOrderAndGoneOnceDeleted) {
  EXPECT_TRUE(Ids().empty());
  ASSERT_TRUE(store_->MakeCheckpoint("b-2"));
  ASSERT_TRUE(store_->MakeCheckpoint("a-1"));
  EXPECT_EQ(Ids(), (std::vector<std::string>{"a-1", "b-2"}));
  ASSERT_TRUE(store_->DeleteCheckpoint("a-1"));
  EXPECT_EQ(Ids(), std::vector<std::string>{"b-2"});
  EXPECT_FALSE(store_->OpenCheckpoint("a-1"));
  EXPECT_TRUE(store_->DeleteCheckpoint("a-1"));
}

TEST_P(CheckpointContract, OneThatIsNotThereIsReportedAsDamage) {
  const auto opened = store_->OpenCheckpoint("absent");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().kind, StorageError::Kind::kCorrupt);
}

TEST_P(CheckpointContract, OutlivesTheValuesThatTheStoreForgets) {
  const std::string big(100'000, 'v');
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(Put(*store_, "key" + std::to_string(i), big));
  ASSERT_TRUE(store_->MakeCheckpoint("one"));
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) { batch.DeleteRange({"key", "kez"}); }));
  EXPECT_TRUE(ScanAll(*store_).empty());
  EXPECT_EQ(All(*Opened("one")).size(), 50);
}

TEST_P(CheckpointContract, NeverHoldsAPartOfACommit) {
  ASSERT_TRUE(Apply(*store_, [](WriteBatch& batch) {
    batch.Put("left", "0");
    batch.Put("right", "0");
  }));
  std::atomic<bool> stop = false;
  std::atomic<int> acknowledged = 0;
  std::thread writer([&] {
    for (int i = 1; !stop; ++i) {
      EXPECT_TRUE(Apply(*store_, [i](WriteBatch& batch) {
        batch.Put("left", std::to_string(i));
        batch.Put("right", std::to_string(i));
      }));
      acknowledged = i;
    }
  });
  for (int round = 0; round < 5; ++round) {
    const std::string id = "round" + std::to_string(round);
    const int before = acknowledged;
    EXPECT_TRUE(store_->MakeCheckpoint(id));
    const Pairs pairs = All(*Opened(id));
    EXPECT_EQ(pairs.size(), 2);
    EXPECT_EQ(pairs.front().second, pairs.back().second);
    EXPECT_GE(std::stoi(pairs.front().second), before);
  }
  stop = true;
  writer.join();
}

TEST_P(CheckpointContract, CanBeMadeOfRowsFromElsewhere) {
  ASSERT_TRUE(Put(*store_, "a", "of the store"));
  const std::string large(300'000, 'x');
  ASSERT_TRUE(store_->ImportCheckpoint("one", [&](const Visitor& visit) -> StorageResult<void> {
    for (int i = 10; i < 40; ++i) EXPECT_TRUE(visit("b" + std::to_string(i), large));
    return {};
  }));
  EXPECT_EQ(Ids(), std::vector<std::string>{"one"});
  const Pairs rows = All(*Opened("one"));
  ASSERT_EQ(rows.size(), 30);
  EXPECT_EQ(rows.front(), std::pair(std::string("b10"), large));
  EXPECT_EQ(ScanAll(*store_), (Pairs{{"a", "of the store"}}));
}

TEST_P(CheckpointContract, IsNotMadeOfRowsThatCannotBeRead) {
  EXPECT_FALSE(store_->ImportCheckpoint("one", [&](const Visitor& visit) -> StorageResult<void> {
    EXPECT_TRUE(visit("a", "1"));
    return std::unexpected(StorageError{StorageError::Kind::kIo, "no more"});
  }));
  EXPECT_TRUE(Ids().empty());
}

}  // namespace store_contract_checkpoints_test
}  // namespace stator
