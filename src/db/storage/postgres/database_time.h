// DatabaseTime: what time it is on the database's machine, told from its answers.
#ifndef STATOR_STORAGE_POSTGRES_DATABASE_TIME_H_
#define STATOR_STORAGE_POSTGRES_DATABASE_TIME_H_

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <limits>
#include <mutex>

namespace stator::postgres {

// An answer that says T was made before it came: since then at least the time from its coming has
// passed. So what is told is never ahead of the database; and who has an answer that was made after
// another's commit tells a later time than was told before that commit. Only the steady clock of this
// machine is used. Thread-safe.
class DatabaseTime {
 public:
  using Ms = std::chrono::milliseconds;

  // The database has just said this.
  void Heard(std::int64_t epoch_ms) {
    const std::int64_t now = Steady();
    const std::int64_t ahead = epoch_ms - now;
    const std::scoped_lock lock(mutex_);
    if (now - window_began_ > kWindowMs) {
      // Clocks drift apart: what was heard long ago does not count.
      before_ = now - window_began_ > 2 * kWindowMs ? kNothing : newest_;
      newest_ = kNothing;
      window_began_ = now;
    }
    newest_ = std::max(newest_, ahead);
    ahead_.store(std::max(newest_, before_), std::memory_order_relaxed);
  }

  std::chrono::sys_time<Ms> Now() const {
    return std::chrono::sys_time<Ms>(Ms(Steady() + ahead_.load(std::memory_order_relaxed)));
  }

 private:
  static constexpr std::int64_t kWindowMs = 2'000;
  static constexpr std::int64_t kNothing = std::numeric_limits<std::int64_t>::min();

  static std::int64_t Steady() {
    return std::chrono::floor<Ms>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

  std::atomic<std::int64_t> ahead_ = 0;  // of the steady clock
  std::mutex mutex_;
  std::int64_t newest_ = kNothing;
  std::int64_t before_ = kNothing;
  std::int64_t window_began_ = std::numeric_limits<std::int64_t>::min() / 2;
};

}  // namespace stator::postgres

#endif  // STATOR_STORAGE_POSTGRES_DATABASE_TIME_H_
