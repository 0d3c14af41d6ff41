// So many events a second, no more, for several threads together.
#ifndef STATOR_LIVE_RATE_LIMIT_H_
#define STATOR_LIVE_RATE_LIMIT_H_

#include <chrono>
#include <mutex>
#include <thread>

namespace stator::live {

class RateLimit {
 public:
  // 0: without limit.
  explicit RateLimit(double per_second) : per_second_(per_second) {}

  // Waits until the next event may happen.
  void Wait() {
    if (per_second_ <= 0) return;
    std::this_thread::sleep_until(Reserve());
  }

 private:
  using SteadyClock = std::chrono::steady_clock;

  SteadyClock::time_point Reserve() {
    const std::lock_guard lock(mutex_);
    next_ = std::max(next_, SteadyClock::now());
    const SteadyClock::time_point mine = next_;
    next_ += std::chrono::duration_cast<SteadyClock::duration>(
        std::chrono::duration<double>(1 / per_second_));
    return mine;
  }

  const double per_second_;
  std::mutex mutex_;
  SteadyClock::time_point next_{};
};

}  // namespace stator::live

#endif  // STATOR_LIVE_RATE_LIMIT_H_
