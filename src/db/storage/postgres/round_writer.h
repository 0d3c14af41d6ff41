// RoundWriter: turns queued mutations into transactions of the database.
//
// A round is a transaction of two round trips. First it locks and reads the keys of its mutations, in
// the order of the keys, then the row of its writer, which tells the edition. The mutations decide,
// one after the other. Then it writes all that they want and commits. Several rounds are in flight at
// once, on a connection and a thread each, and have no key in common.
//
// Why nothing of ours deadlocks: every transaction locks in the same order: rows that exist by key, the
// edition, its writer's row, (a new edition: all writers' rows,) rows that do not exist by key, logs by
// name, sums by name.
#ifndef STATOR_STORAGE_POSTGRES_ROUND_WRITER_H_
#define STATOR_STORAGE_POSTGRES_ROUND_WRITER_H_

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_set>
#include <vector>

#include "storage/postgres/connection.h"
#include "storage/postgres/decisions.h"
#include "storage/postgres/membership.h"
#include "storage/store.h"

namespace stator::postgres {

class RoundWriter {
 public:
  // `store` finds the last number of logs that were written by other means. Both must outlive it.
  // There is a connection for each of the membership's writers.
  RoundWriter(const PostgresOptions& options, const Store& store, Membership& membership,
              std::vector<std::unique_ptr<Connection>> connections);
  ~RoundWriter() { Close(); }

  // Thread-safe.
  void Mutate(std::unique_ptr<Mutation> mutation);
  // Commits what is queued, and refuses every later mutation.
  void Close();

  struct Counts {
    std::uint64_t commits = 0;
    std::uint64_t mutations = 0;
    std::uint64_t retries = 0;  // rounds that were decided again
    std::uint64_t lookups = 0;  // commits whose outcome had to be looked up
  };
  Counts GetCounts() const;

 private:
  struct Queued {
    std::unique_ptr<Mutation> mutation;
    RealTime since;
    bool is_alone = false;  // it held up others, and gets a round of its own
  };
  // A round, from the queue to its end.
  struct Round {
    std::vector<Queued> mutations;
    bool is_alone = false;
    // It announces: it locks the edition, and all that it writes, before the row of its writer.
    bool locks_edition = false;
    std::vector<std::string> also_locks;
    int attempts = 0;
    RealTime began;
  };
  // What a writer thread has.
  struct Lane {
    std::int64_t writer = 0;  // its row
    std::unique_ptr<Connection> connection;
    std::thread thread;
  };
  // How an attempt ended.
  enum class End : std::uint8_t {
    kDone,
    kAgain,        // decide again
    kAgainLocked,  // decide again, with the edition locked
    kApart,        // each mutation in a round of its own
  };

  void RunLane(Lane& lane);
  // REQUIRE mutex_.
  bool IsWorthwhile() const;
  void WakeOne();
  bool Collect(Round& round);
  void RemoveInFlight(const Mutation& mutation);
  bool HasKeyInFlight(const Mutation& mutation,
                      const std::unordered_set<std::string_view>& passed_over) const;
  void RefuseLate(RealTime now, std::vector<std::unique_ptr<Mutation>>& refused);

  void RunRound(Lane& lane, Round& round);
  StorageResult<End> Attempt(Lane& lane, Round& round);
  Outcome<void> LockAndRead(Lane& lane, const Round& round, Decisions& decisions,
                            std::int64_t token, std::int64_t& edition);
  void DecideAll(Round& round, Decisions& decisions);
  StorageResult<void> FindLogs(const Decisions& decisions);
  Outcome<void> Rollback(Lane& lane);
  // After the connection was lost during a commit: whether it has happened.
  StorageResult<bool> LookUp(Lane& lane, std::int64_t token, RealTime deadline);
  StorageResult<void> Connect(Lane& lane, RealTime deadline);
  StorageResult<End> AfterFailure(const Failure& failure, const Round& round) const;
  void Finish(Round& round, const StorageResult<void>& status);

  const PostgresOptions options_;
  const Store& store_;
  Membership& membership_;

  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Queued> queue_;                        // guarded by mutex_
  std::unordered_set<std::string_view> in_flight_;  // guarded by mutex_
  std::size_t alone_in_flight_ =
      0;                      // rounds of one mutation that may wait for long; guarded by mutex_
  int rounds_in_flight_ = 0;  // guarded by mutex_
  bool is_timed_ =
      false;  // a lane sees to it that nobody waits too long for others; guarded by mutex_
  bool closing_ = false;  // guarded by mutex_

  std::mutex logs_mutex_;
  std::set<std::string, std::less<>> known_logs_;  // guarded by logs_mutex_

  std::atomic<std::uint64_t> commits_ = 0;
  std::atomic<std::uint64_t> mutations_ = 0;
  std::atomic<std::uint64_t> retries_ = 0;
  std::atomic<std::uint64_t> lookups_ = 0;
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace stator::postgres

#endif  // STATOR_STORAGE_POSTGRES_ROUND_WRITER_H_
