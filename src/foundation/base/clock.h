// Time is a value: one Clock (stator/clock.h) feeds everything that looks at the time, and users
// and tests can turn it. Here are the clocks that only the inside needs.
#ifndef STATOR_BASE_CLOCK_H_
#define STATOR_BASE_CLOCK_H_

#include <chrono>
#include <cstdint>

#include "stator/clock.h"

namespace stator {

// Nobody turns it.
class SystemClock final : public Clock {
 public:
  TimeMs Now() const override {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  }
  TurnSubscription OnTurn(std::function<void()>) const override { return nullptr; }
};

// Stands still until it is told to move.
class ManualClock final : public TurnableClock {
 public:
  explicit ManualClock(TimeMs start) : TurnableClock(ClockSetting::FixedAt(start)) {}
};

// Times as they are stored: milliseconds since the epoch.
inline std::int64_t EpochMs(TimeMs time) { return time.time_since_epoch().count(); }
inline TimeMs TimeFromMs(std::int64_t epoch_ms) {
  return TimeMs(std::chrono::milliseconds(epoch_ms));
}

}  // namespace stator

#endif  // STATOR_BASE_CLOCK_H_
