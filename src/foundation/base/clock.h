// Time is a value: everything that needs the time asks one Clock (stator/clock.h), which users and
// tests can turn. These are the clocks that are not public.
#ifndef STATOR_BASE_CLOCK_H_
#define STATOR_BASE_CLOCK_H_

#include <chrono>
#include <cstdint>

#include "stator/clock.h"

namespace stator {

// The time of the system; it cannot be turned.
class SystemClock final : public Clock {
 public:
  TimeMs Now() const override {
    return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
  }
  TurnSubscription OnTurn(std::function<void()>) const override { return nullptr; }
};

// Stands still until it is turned.
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
