#include "database/read_rounds.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>

#include "base/read_ahead.h"
#include "engine/testing/borrowed_store.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace read_rounds_test {

// Counts its reads, and can hold the first one back.
class CountingStore final : public BorrowedStore {
 public:
  using BorrowedStore::BorrowedStore;
  StorageResult<std::vector<std::optional<std::string>>> MultiGet(
      std::span<const std::string> keys) const override {
    std::unique_lock lock(mutex);
    ++reads;
    changed.notify_all();
    changed.wait(lock, [this] { return !is_held; });
    if (fails) return std::unexpected(StorageError{StorageError::Kind::kIo, "no network"});
    return BorrowedStore::MultiGet(keys);
  }

  mutable std::mutex mutex;
  mutable std::condition_variable changed;
  mutable int reads = 0;
  bool is_held = false;
  bool fails = false;
};

class ReadRoundsTest : public ::testing::Test {
 protected:
  ReadRoundsTest() {
    EXPECT_TRUE(Put(*rows_, "a", "1"));
    EXPECT_TRUE(Put(*rows_, "b", "2"));
  }

  // What a task finds: the value, "none" without a row, "failed" if it cannot be fetched.
  static Workers::Task Look(const std::string& key, std::promise<std::string>& found) {
    return [key, &found](Workers::Turn turn) {
      if (turn != Workers::Turn::kWork) return found.set_value("refused");
      const std::optional<std::string>* row = ReadAhead::Find(key);
      if (row == nullptr) return found.set_value(ReadAhead::HasFailed() ? "failed" : "unknown");
      found.set_value(row->value_or("none"));
    };
  }

  const std::unique_ptr<Store> rows_ = OpenMemoryStore();
  CountingStore store_{*rows_};
};

TEST_F(ReadRoundsTest, FetchesTheRowsOfWaitingRequestsTogether) {
  store_.is_held = true;
  ReadRounds rounds(store_, 1, {});
  std::promise<std::string> first;
  std::promise<std::string> found[4];
  rounds.Post("a", Look("a", first));
  {
    std::unique_lock lock(store_.mutex);
    store_.changed.wait(lock, [this] { return store_.reads == 1; });
  }
  const std::string keys[] = {"a", "b", "c", "a"};
  for (int i = 0; i < 4; ++i) rounds.Post(keys[i], Look(keys[i], found[i]));
  {
    const std::scoped_lock lock(store_.mutex);
    store_.is_held = false;
  }
  store_.changed.notify_all();
  EXPECT_EQ(first.get_future().get(), "1");
  EXPECT_EQ(found[0].get_future().get(), "1");
  EXPECT_EQ(found[1].get_future().get(), "2");
  EXPECT_EQ(found[2].get_future().get(), "none");
  EXPECT_EQ(found[3].get_future().get(), "1");
  EXPECT_EQ(store_.reads, 2);
}

TEST_F(ReadRoundsTest, TellsTasksThatRowsCannotBeFetched) {
  store_.fails = true;
  ReadRounds rounds(store_, 2, {});
  std::promise<std::string> found;
  rounds.Post("a", Look("a", found));
  EXPECT_EQ(found.get_future().get(), "failed");
}

TEST_F(ReadRoundsTest, RefusesMoreThanMayWait) {
  ReadRounds rounds(store_, 1, {.queued_max = 0});
  std::promise<std::string> found;
  rounds.Post("a", Look("a", found));
  EXPECT_EQ(found.get_future().get(), "refused");
}

TEST(ReadAheadTest, RowsAreThereWhileItLives) {
  ReadAhead::Rows rows;
  rows.emplace("a", "1");
  EXPECT_EQ(ReadAhead::Find("a"), nullptr);
  {
    const ReadAhead ahead(&rows);
    ASSERT_NE(ReadAhead::Find("a"), nullptr);
    EXPECT_EQ(**ReadAhead::Find("a"), "1");
    EXPECT_EQ(ReadAhead::Find("b"), nullptr);
  }
  EXPECT_EQ(ReadAhead::Find("a"), nullptr);
  ReadAhead::Want("key");
  EXPECT_EQ(ReadAhead::TakeWanted(), "key");
  EXPECT_EQ(ReadAhead::TakeWanted(), "");
}

}  // namespace read_rounds_test
}  // namespace stator
