// Workers: threads for what an event loop must not do itself, because it takes long or waits for a
// disk.
#ifndef STATOR_DATABASE_WORKERS_H_
#define STATOR_DATABASE_WORKERS_H_

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace stator {

// Lanes of their own, so that short tasks do not stand behind long ones. Thread-safe.
class Workers {
 public:
  enum class Lane : std::uint8_t {
    kPoint,  // waits for a disk once or twice
    kBatch,  // waits for a disk many times
    kLong,   // keeps a processor busy
  };
  // Why a task runs.
  enum class Turn : std::uint8_t {
    kWork,
    kRefuse,  // it has waited too long, or would: answer at once
    kStop,    // the workers are stopping: answer at once
  };
  using Task = std::move_only_function<void(Turn)>;

  // Bounds of each lane.
  struct Limits {
    std::size_t queued_max = 2'000;
    std::chrono::milliseconds wait{500};
    unsigned waiting_threads = 0;  // of each lane that waits; 0: by the number of cores
  };

  explicit Workers(const Limits& limits) : limits_(limits) {}
  // Finishes the tasks that have begun; the others get kStop.
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Runs the task once, on a thread of the lane; with kRefuse or kStop perhaps on this one. The
  // threads of a lane start with its first task.
  // `unwanted`, if given, becomes true when the task need not be done any more; it lives until the task
  // has run.
  void Post(Lane lane, Task task, const std::atomic<bool>* unwanted = nullptr);

 private:
  using RealTime = std::chrono::steady_clock::time_point;
  struct Queued {
    Task task;
    RealTime since;
    const std::atomic<bool>* unwanted;
  };
  struct LaneState {
    std::mutex mutex;
    std::condition_variable wake;
    std::deque<Queued> queue;
    std::vector<std::thread> threads;
    std::chrono::nanoseconds usual{0};  // how long tasks took lately
    bool stopping = false;
  };

  bool WouldWaitTooLong(const LaneState& state) const;
  void Start(Lane lane, LaneState& state);
  void Run(LaneState& state);

  const Limits limits_;
  std::array<LaneState, 3> lanes_;
};

}  // namespace stator

#endif  // STATOR_DATABASE_WORKERS_H_
