// Time is a value: one Clock feeds everything that looks at the time, and tests can turn it.
#ifndef STATOR_BASE_CLOCK_H_
#define STATOR_BASE_CLOCK_H_

#include <atomic>
#include <chrono>

namespace stator {

// A point of time in milliseconds since the epoch, the resolution of every DynamoDB timestamp.
using TimeMs = std::chrono::sys_time<std::chrono::milliseconds>;

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimeMs Now() const = 0;
};

class SystemClock final : public Clock {
 public:
  TimeMs Now() const override {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  }
};

// Stands still until it is told to move.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(TimeMs start) : now_ms_(start.time_since_epoch().count()) {}
  TimeMs Now() const override { return TimeMs(std::chrono::milliseconds(now_ms_.load())); }
  void Advance(std::chrono::milliseconds by) { now_ms_.fetch_add(by.count()); }
  void Set(TimeMs now) { now_ms_.store(now.time_since_epoch().count()); }

 private:
  std::atomic<std::chrono::milliseconds::rep> now_ms_;
};

}  // namespace stator

#endif  // STATOR_BASE_CLOCK_H_
