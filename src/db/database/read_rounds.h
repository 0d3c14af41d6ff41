// ReadRounds: requests for one row each, whose rows are fetched together (base/read_ahead.h).
#ifndef STATOR_DATABASE_READ_ROUNDS_H_
#define STATOR_DATABASE_READ_ROUNDS_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "database/workers.h"
#include "storage/store.h"

namespace stator {

// Thread-safe.
class ReadRounds {
 public:
  ReadRounds(const Store& store, unsigned threads, const Workers::Limits& limits);
  // Finishes the tasks that have begun; the others get kStop.
  ~ReadRounds();
  ReadRounds(const ReadRounds&) = delete;
  ReadRounds& operator=(const ReadRounds&) = delete;

  // Runs the task once the row is fetched, or could not be, as ReadAhead tells it.
  void Post(std::string key, Workers::Task task);

 private:
  using RealTime = std::chrono::steady_clock::time_point;
  struct Queued {
    std::string key;
    Workers::Task task;
    RealTime since;
  };

  void Run();
  void RunRound(std::vector<Queued> round) const;
  // REQUIRE mutex_.
  bool CanBegin(RealTime now) const;
  std::vector<Queued> TakeRound();
  void WakeOne(RealTime now);

  const Store& store_;
  const Workers::Limits limits_;
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::condition_variable in_time_;
  // All guarded by mutex_.
  std::deque<Queued> queue_;
  std::size_t in_flight_ = 0;  // rounds
  std::size_t idle_ = 0;       // threads that wait for arrived_
  bool is_timed_ = false;      // a thread sees to it that nobody waits too long for others
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace stator

#endif  // STATOR_DATABASE_READ_ROUNDS_H_
