// Writer: the one writer of a store. It turns queued mutations into atomic commits.
//
// Mutations are taken from the queue in rounds. A round is decided, one mutation after the other,
// each seeing the writes of those before it; then it is committed as a whole and its mutations are
// done. While a round is being committed, callers decide the next one, on top of the one that is on
// its way to the disk.
//
// One thread at a time holds the role of the writer. A caller that finds the role free takes it and
// commits a few rounds itself, which saves a lone client a thread switch. If there is still more to
// do then, the role goes to the writer's own thread, so that no caller works for others for long.
#ifndef STATOR_STORAGE_WRITER_H_
#define STATOR_STORAGE_WRITER_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "storage/mutation_queue.h"
#include "storage/round.h"
#include "storage/store.h"

namespace stator {

class Writer {
 public:
  // Makes the writes durable and visible, all or none. Never called twice at once.
  using Commit = std::function<StorageResult<void>(std::span<const Write>)>;

  // Reads through `store`, whose Get and Scan must show a commit once it has returned. With
  // rounds_on_caller = 0 every round is committed on the writer's own thread.
  Writer(const Store& store, Commit commit, int rounds_on_caller, const WriteLimits& limits = {});
  ~Writer() { Close(); }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  // Thread-safe.
  void Mutate(std::unique_ptr<Mutation> mutation);

  // Refuses every further mutation with this error, because the store cannot vouch for its commits
  // any more. Happens by itself when a commit fails. The first error counts, but any other outranks
  // kNoSpace. Thread-safe.
  void Break(const StorageError& error);
  // Why mutations are refused; nullopt if they are not. Thread-safe.
  std::optional<StorageError> Failure() const;
  // Takes mutations again, decided on what the store holds. Those that were decided before are
  // refused: they may have seen writes of the commit that failed. Returns when that is done.
  // REQUIRES: the store vouches for its commits again, and no other thread calls Break or Mend.
  void Mend();

  // Commits what is queued, and refuses every later mutation. REQUIRES: no other thread calls Close.
  void Close();

  struct Counts {
    std::uint64_t commits = 0;
    std::uint64_t mutations = 0;
  };
  Counts GetCounts() const { return {commit_count_.load(), mutation_count_.load()}; }

 private:
  void RunThread();
  void WakeThread(int order);

  // Who decides. A caller has other things to do, and only makes a start with what takes long.
  enum class Thread : std::uint8_t { kCaller, kWriter };

  // REQUIRE the role.
  bool RunRound(Thread thread);
  StorageResult<void> CommitRound(const Round& round);
  bool ReleaseRole();

  // REQUIRE deciding_.
  void ForgetDecisions();
  void DecideQueued();
  void DecideOneHeavy();
  // Gives the mutation back, undecided, if it takes longer than this.
  std::unique_ptr<Mutation> DecideOne(std::unique_ptr<Mutation> mutation,
                                      std::chrono::nanoseconds processor_time);
  using RealTime = std::chrono::steady_clock::time_point;
  bool HasWaitedTooLong(const Mutation& mutation, RealTime now);
  StorageResult<std::optional<std::string_view>> Read(std::string_view key, std::string& buffer);

  const Store& store_;
  const Commit commit_;
  const int rounds_on_caller_;
  const WriteLimits limits_;

  MutationQueue queue_;  // Pop requires deciding_
  std::atomic<std::size_t> queued_count_ = 0;
  // Set while mutations wait for longer than they may, until the queue is much shorter.
  std::atomic<bool> is_behind_ = false;
  std::atomic<bool> role_taken_ = false;
  std::atomic<bool> closed_ = false;

  std::mutex deciding_;  // guards all that follows, up to values_
  LogNumbers log_numbers_;
  Round rounds_[2];
  Round* next_ = &rounds_[0];  // being decided
  // Swapped by the holder of the role, under deciding_; its writes do not change in between.
  Round* committing_ = &rounds_[1];
  bool is_committing_ = false;  // whether the holder of the role will come back for next_
  // What took long when it was first tried. The writer's thread decides one of them in each round, so
  // that the others do not stand behind them.
  std::deque<std::unique_ptr<Mutation>> heavy_;
  std::vector<std::string> buffers_;
  std::vector<std::optional<std::string_view>> values_;

  mutable std::mutex broken_mutex_;
  std::optional<StorageError> broken_;
  std::atomic<bool> is_mending_ = false;  // the next round begins afresh

  std::atomic<std::uint64_t> commit_count_ = 0;
  std::atomic<std::uint64_t> mutation_count_ = 0;

  std::atomic<int> thread_order_;
  std::thread thread_;
};

}  // namespace stator

#endif  // STATOR_STORAGE_WRITER_H_
