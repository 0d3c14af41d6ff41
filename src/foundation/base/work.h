// Work: what the request that this thread works on may still use up.
//
// Whoever carries out a request makes a Work on its stack. The code below it charges what it does,
// and stops early once the work has to end; the maker then looks at how it ended. A thread without a
// Work may do anything.
#ifndef STATOR_BASE_WORK_H_
#define STATOR_BASE_WORK_H_

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace stator {

// For one thread.
class Work {
 public:
  enum class End : std::uint8_t {
    kNotYet,
    kElsewhere,  // it would wait for a disk, or hold this thread for too long: start again elsewhere
    kOutOfTime,  // its processor time is used up
    kUnwanted,   // nobody waits for the answer any more
  };
  struct Limits {
    // Of this thread. It is looked at now and then, so a little more is used.
    std::chrono::nanoseconds processor_time = std::chrono::nanoseconds::max();
    // Beyond them the work ends kElsewhere.
    std::uint64_t bytes = std::numeric_limits<std::uint64_t>::max();
    // Otherwise a read that is not in memory ends the work kElsewhere.
    bool may_wait = true;
    // Becomes true when nobody waits for the answer any more; null: never.
    const std::atomic<bool>* unwanted = nullptr;
  };

  explicit Work(const Limits& limits);
  ~Work() { current_ = outer_; }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

  End end() const { return end_; }

  // About to look at this many bytes. False: the work has to end, stop as soon as possible.
  static bool Charge(std::size_t bytes) {
    Work* const work = current_;
    if (work == nullptr) return true;
    work->credit_ -= static_cast<std::int64_t>(bytes);
    return work->credit_ >= 0 || work->Refill();
  }
  // How the current work ends; kNotYet without one.
  static End CurrentEnd() { return current_ == nullptr ? End::kNotYet : current_->end_; }
  static bool MustEnd() { return CurrentEnd() != End::kNotYet; }
  static bool MayWait() { return current_ == nullptr || current_->limits_.may_wait; }
  // Whether the thread is there for the current request alone, and nobody waits for the thread.
  static bool HasThread() { return current_ != nullptr && current_->limits_.may_wait; }
  // A read that must not wait would have to.
  static void EndElsewhere() {
    if (current_ == nullptr) return;
    current_->would_wait_ = true;
    current_->EndAs(End::kElsewhere);
  }
  // Whether that is why the current work ends.
  static bool WouldWait() { return current_ != nullptr && current_->would_wait_; }

  // While it lives, the thread works for others: without limits.
  class Pause {
   public:
    Pause() : paused_(current_) { current_ = nullptr; }
    ~Pause() { current_ = paused_; }
    Pause(const Pause&) = delete;
    Pause& operator=(const Pause&) = delete;

   private:
    Work* const paused_;
  };

 private:
  bool Refill();
  bool EndAs(End end);

  static constinit thread_local Work* current_;

  const Limits limits_;
  Work* const outer_;
  std::int64_t credit_;          // until the limits are looked at again
  std::uint64_t bytes_left_;     // beyond the credit
  std::int64_t ends_at_ns_ = 0;  // on the thread's processor clock; 0: not known yet
  End end_ = End::kNotYet;
  bool would_wait_ = false;
};

}  // namespace stator

#endif  // STATOR_BASE_WORK_H_
