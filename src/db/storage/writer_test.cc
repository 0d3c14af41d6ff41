#include "storage/writer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <latch>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/work.h"
#include "storage/testing/test_mutation.h"

namespace stator {
namespace writer_test {

using Verdict = Mutation::Verdict;

// A map whose commits can be held back, and made to fail.
class GatedStore final : public Store {
 public:
  explicit GatedStore(int rounds_on_caller, const WriteLimits& limits = {})
      : writer_(
            *this, [this](std::span<const Write> writes) { return Commit(writes); },
            rounds_on_caller, limits) {}
  ~GatedStore() override {
    Open();
    writer_.Close();
  }

  void Mutate(std::unique_ptr<Mutation> mutation) override { writer_.Mutate(std::move(mutation)); }
  StorageResult<bool> Get(std::string_view key, std::string& value) const override {
    const std::scoped_lock lock(mutex_);
    if (read_failure_) return std::unexpected(*read_failure_);
    const auto found = contents_.find(std::string(key));
    if (found == contents_.end()) return false;
    value = found->second;
    return true;
  }
  StorageResult<std::vector<std::optional<std::string>>> MultiGet(
      std::span<const std::string>) const override {
    return {};
  }
  std::unique_ptr<ReadView> Snapshot() const override { return nullptr; }
  StorageResult<void> Scan(const KeyRange&, Direction, const Visitor&, const ReadView*,
                           std::int64_t) const override {
    const std::scoped_lock lock(mutex_);
    if (read_failure_) return std::unexpected(*read_failure_);
    return {};
  }
  std::uint64_t ApproximateBytes(const KeyRange&) const override { return 0; }
  Stats GetStats() const override {
    const Writer::Counts counts = writer_.GetCounts();
    return {.commits = counts.commits, .mutations = counts.mutations};
  }

  void Shut() {
    const std::scoped_lock lock(mutex_);
    is_open_ = false;
  }
  void Open() {
    const std::scoped_lock lock(mutex_);
    is_open_ = true;
    changed_.notify_all();
  }
  void WaitForCommitAtTheGate() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return is_at_gate_; });
  }
  void FailCommits(std::optional<StorageError> failure = StorageError{StorageError::Kind::kIo,
                                                                      "disk on fire"}) {
    const std::scoped_lock lock(mutex_);
    commit_failure_ = std::move(failure);
  }
  void FailReads(std::optional<StorageError> failure) {
    const std::scoped_lock lock(mutex_);
    read_failure_ = std::move(failure);
  }
  Writer& writer() { return writer_; }

 private:
  StorageResult<void> Commit(std::span<const Write> writes) {
    std::unique_lock lock(mutex_);
    is_at_gate_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return is_open_; });
    is_at_gate_ = false;
    if (commit_failure_) return std::unexpected(*commit_failure_);
    for (const Write& write : writes) {
      if (write.kind == Write::Kind::kPut) contents_[std::string(write.key)] = write.value;
      if (write.kind == Write::Kind::kDelete) contents_.erase(std::string(write.key));
    }
    return {};
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool is_open_ = true;
  bool is_at_gate_ = false;
  std::optional<StorageError> commit_failure_;
  std::optional<StorageError> read_failure_;
  std::map<std::string, std::string> contents_;
  Writer writer_;
};

// Collects how mutations end.
class Ends {
 public:
  TestMutation::DoneFunction Next() {
    ++expected_;
    return [this](const StorageResult<void>& status) {
      const std::scoped_lock lock(mutex_);
      ends_.push_back(status);
      changed_.notify_all();
    };
  }
  std::vector<StorageResult<void>> Wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ends_.size() == expected_; });
    return ends_;
  }
  std::size_t CountNow() {
    const std::scoped_lock lock(mutex_);
    return ends_.size();
  }

 private:
  std::size_t expected_ = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<StorageResult<void>> ends_;
};

TEST(Writer, CallersDecideTheNextRoundOnTopOfTheOneBeingCommitted) {
  GatedStore store(0);
  Ends ends;
  store.Shut();
  store.Mutate(MakeIncrement("n", ends.Next()));
  store.WaitForCommitAtTheGate();
  std::atomic<bool> is_decided = false;
  store.Mutate(MakeMutation(
      {"n"},
      [&](Values values, WriteBatch& batch) {
        EXPECT_EQ(values[0], "1");
        is_decided = true;
        batch.Put("n", "2");
        return Verdict::kCommit;
      },
      ends.Next()));
  EXPECT_TRUE(is_decided);
  EXPECT_EQ(ends.CountNow(), 0U);
  store.Open();
  for (const auto& end : ends.Wait()) EXPECT_TRUE(end);
  EXPECT_EQ(Get(store, "n"), "2");
}

TEST(Writer, MutationsThatArriveDuringACommitShareTheNext) {
  GatedStore store(0);
  Ends ends;
  store.Shut();
  store.Mutate(MakeIncrement("n", ends.Next()));
  store.WaitForCommitAtTheGate();
  for (int i = 0; i < 100; ++i) store.Mutate(MakeIncrement("n", ends.Next()));
  store.Open();
  ends.Wait();
  EXPECT_EQ(Get(store, "n"), "101");
  EXPECT_EQ(store.GetStats().commits, 2U);
  EXPECT_EQ(store.GetStats().mutations, 101U);
}

TEST(Writer, FailedCommitFailsWhatWasDecidedOnTopOfItAndAllThatFollow) {
  GatedStore store(0);
  Ends ends;
  store.Shut();
  store.FailCommits();
  store.Mutate(MakeIncrement("n", ends.Next()));
  store.WaitForCommitAtTheGate();
  store.Mutate(MakeIncrement("n", ends.Next()));
  // Abandoned, but because of a write that was never made.
  store.Mutate(
      MakeMutation({"n"}, [](Values, WriteBatch&) { return Verdict::kAbandon; }, ends.Next()));
  store.Open();
  const auto after = MutateAndWait(store, MakeIncrement("n"));
  for (const auto& end : ends.Wait()) {
    ASSERT_FALSE(end);
    EXPECT_NE(end.error().message.find("disk on fire"), std::string::npos);
  }
  ASSERT_FALSE(after);
  EXPECT_EQ(after.error().kind, StorageError::Kind::kReadOnly);
  EXPECT_NE(after.error().message.find("no more writes"), std::string::npos);
  EXPECT_EQ(store.GetStats().commits, 0U);
}

const StorageError kFull{StorageError::Kind::kNoSpace, "the disk is full"};

TEST(Writer, MendedWriterDecidesOnWhatIsStored) {
  for (const int rounds_on_caller : {0, 4}) {
    GatedStore store(rounds_on_caller);
    ASSERT_TRUE(MutateAndWait(store, MakeIncrement("n")));
    store.FailCommits(kFull);
    EXPECT_FALSE(MutateAndWait(store, MakeIncrement("n")));
    EXPECT_EQ(store.writer().Failure()->kind, StorageError::Kind::kNoSpace);
    EXPECT_FALSE(MutateAndWait(store, MakeIncrement("n")));
    store.FailCommits(std::nullopt);
    EXPECT_FALSE(MutateAndWait(store, MakeIncrement("n")));  // not before it is mended
    store.writer().Mend();
    EXPECT_FALSE(store.writer().Failure());
    EXPECT_TRUE(MutateAndWait(store, MakeIncrement("n")));
    EXPECT_EQ(Get(store, "n"), "2");
  }
}

TEST(Writer, MendingRefusesWhatWasDecidedOnTopOfAFailedCommit) {
  GatedStore store(0);
  Ends ends;
  store.Shut();
  store.FailCommits(kFull);
  store.Mutate(MakeIncrement("n", ends.Next()));
  store.WaitForCommitAtTheGate();
  store.Mutate(MakeIncrement("n", ends.Next()));  // sees the first
  std::thread mending([&] { store.writer().Mend(); });
  store.Open();
  for (const auto& end : ends.Wait()) EXPECT_FALSE(end);
  mending.join();
  store.FailCommits(std::nullopt);
  store.writer().Mend();
  EXPECT_TRUE(MutateAndWait(store, MakeIncrement("n")));
  EXPECT_EQ(Get(store, "n"), "1");
}

TEST(Writer, MendedWriterLeavesNoGapInALog) {
  GatedStore store(4);
  const auto append = [&] {
    return Apply(store, [](WriteBatch& batch) { batch.Append("log", "record"); });
  };
  store.FailCommits(kFull);
  EXPECT_FALSE(append());
  store.FailCommits(std::nullopt);
  store.writer().Mend();
  ASSERT_TRUE(append());
  EXPECT_EQ(Get(store, LogKey("log", 1)), "record");
}

TEST(Writer, AnotherErrorOutranksAFullDisk) {
  GatedStore store(4);
  store.writer().Break(kFull);
  store.writer().Break({StorageError::Kind::kReadOnly, "lost the log"});
  store.writer().Break(kFull);
  EXPECT_EQ(store.writer().Failure()->message, "lost the log");
}

TEST(Writer, BrokenWriterRefusesEverything) {
  GatedStore store(4);
  store.writer().Break({StorageError::Kind::kIo, "lost the log"});
  const auto end = MutateAndWait(store, MakeIncrement("n"));
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().message, "lost the log");
  EXPECT_EQ(Get(store, "n"), std::nullopt);
}

TEST(Writer, FailedReadFailsOnlyTheMutationThatNeedsIt) {
  GatedStore store(4);
  store.FailReads(StorageError{StorageError::Kind::kCorrupt, "bad block"});
  const auto refused = MutateAndWait(store, MakeIncrement("n"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, StorageError::Kind::kCorrupt);
  EXPECT_TRUE(Put(store, "other", "value"));
  store.FailReads(std::nullopt);
  EXPECT_TRUE(MutateAndWait(store, MakeIncrement("n")));
  EXPECT_EQ(Get(store, "n"), "1");
}

TEST(Writer, AppendThatCannotReadItsLogWritesNothing) {
  GatedStore store(4);
  store.FailReads(StorageError{StorageError::Kind::kCorrupt, "bad block"});
  const auto refused = Apply(store, [](WriteBatch& batch) {
    batch.Put("key", "value");
    batch.Append("log", "record");
  });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "bad block");
  store.FailReads(std::nullopt);
  EXPECT_EQ(Get(store, "key"), std::nullopt);
  EXPECT_TRUE(Apply(store, [](WriteBatch& batch) { batch.Append("log", "record"); }));
  EXPECT_EQ(Get(store, LogKey("log", 1)), "record");
}

TEST(Writer, LonelyCallerCommitsItsOwnMutation) {
  GatedStore store(1);
  std::thread::id done_on;
  store.Mutate(MakeIncrement("n", [&](const auto&) { done_on = std::this_thread::get_id(); }));
  EXPECT_EQ(done_on, std::this_thread::get_id());
}

TEST(Writer, CallerWithMoreThanItsShareHandsOverToTheThread) {
  GatedStore store(1);
  Ends ends;
  store.Shut();
  std::thread caller([&] { store.Mutate(MakeIncrement("n", ends.Next())); });
  store.WaitForCommitAtTheGate();
  std::atomic<std::thread::id> done_on;
  std::latch done(1);
  store.Mutate(MakeIncrement("n", [&](const auto&) {
    done_on = std::this_thread::get_id();
    done.count_down();
  }));
  const std::thread::id caller_id = caller.get_id();
  store.Open();
  done.wait();
  EXPECT_NE(done_on.load(), caller_id);
  EXPECT_NE(done_on.load(), std::this_thread::get_id());
  caller.join();
}

TEST(Writer, RefusesMutationsAfterClose) {
  GatedStore store(0);
  store.writer().Close();
  const auto end = MutateAndWait(store, MakeIncrement("n"));
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().kind, StorageError::Kind::kClosed);
}

TEST(Writer, CommitsManyMoreMutationsThanFitIntoARound) {
  GatedStore store(0);
  Ends ends;
  store.Shut();
  store.Mutate(MakeIncrement("n", ends.Next()));
  store.WaitForCommitAtTheGate();
  for (int i = 0; i < 10'000; ++i) store.Mutate(MakeIncrement("n", ends.Next()));
  store.Open();
  ends.Wait();
  EXPECT_EQ(Get(store, "n"), "10001");
  EXPECT_GT(store.GetStats().commits, 2U);
}

// The kind of error that a mutation which works for `bytes` ends with; nothing: it was committed.
std::optional<StorageError::Kind> EndOf(Store& store, bool is_refusable, std::size_t bytes) {
  std::optional<StorageError::Kind> end;
  std::latch done(1);
  auto mutation = std::make_unique<TestMutation>(
      std::vector<std::string>(),
      [bytes](Values, WriteBatch& batch) {
        batch.Put("key", "value");
        for (std::size_t i = 0; i < bytes; i += 1000) Work::Charge(1000);
        return Verdict::kCommit;
      },
      [&](const StorageResult<void>& status) {
        if (!status) end = status.error().kind;
        done.count_down();
      });
  mutation->is_refusable = is_refusable;
  store.Mutate(std::move(mutation));
  done.wait();
  return end;
}

TEST(Writer, AClientsMutationThatTakesTooLongWritesNothing) {
  GatedStore store(1, {.processor_time = std::chrono::milliseconds(0)});
  EXPECT_EQ(EndOf(store, true, 1'000'000), StorageError::Kind::kTooLong);
  EXPECT_EQ(Get(store, "key"), std::nullopt);
  EXPECT_EQ(EndOf(store, true, 1'000), std::nullopt);
}

TEST(Writer, WorkThatNoClientWaitsForMayTakeLong) {
  GatedStore store(1, {.processor_time = std::chrono::milliseconds(0)});
  EXPECT_EQ(EndOf(store, false, 1'000'000), std::nullopt);
}

TEST(Writer, WhoHasWaitedTooLongIsRefusedIfItCanTryAgain) {
  GatedStore store(1, {.wait = std::chrono::milliseconds(-1)});
  EXPECT_EQ(EndOf(store, true, 0), StorageError::Kind::kBusy);
  EXPECT_EQ(Get(store, "key"), std::nullopt);
  EXPECT_EQ(EndOf(store, false, 0), std::nullopt);
}

TEST(Writer, ALongQueueRefusesWhoCanTryAgain) {
  GatedStore store(1, {.queued_max = 0});
  EXPECT_EQ(EndOf(store, true, 0), StorageError::Kind::kBusy);
  EXPECT_EQ(EndOf(store, false, 0), std::nullopt);
}

}  // namespace writer_test
}  // namespace stator
