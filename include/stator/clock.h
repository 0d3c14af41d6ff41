// The time of a database: the system's, some time away from it, or standing still; and how to turn
// it, so that what takes DynamoDB days can be tested in an instant.
//
//   auto setting = stator::ClockSetting::Parse("fixed:2026-01-01T00:00:00Z");
//   auto db = stator::Database::Open({.clock = *setting});
//   (*db)->clock().Advance(std::chrono::days(31));
#ifndef STATOR_CLOCK_H_
#define STATOR_CLOCK_H_

#include <atomic>
#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace stator {

// A point of time in milliseconds since the epoch, the resolution of every DynamoDB timestamp.
using TimeMs = std::chrono::sys_time<std::chrono::milliseconds>;

// The bounds of every clock that can be turned: the first millisecond of 1970, the last of 9999.
inline constexpr TimeMs kClockMin{std::chrono::milliseconds(0)};
inline constexpr TimeMs kClockMax{std::chrono::milliseconds(253'402'300'799'999)};

enum class ClockMode : std::uint8_t {
  kSystem,  // the system's time
  kOffset,  // runs as the system's time does, ahead of it or behind it
  kFixed,   // stands still until it is turned
};

// What a clock shows when it is new, and again when it is reset.
struct ClockSetting {
  ClockMode mode = ClockMode::kSystem;
  std::chrono::milliseconds offset{0};  // kOffset: negative is behind the system
  TimeMs fixed{};                       // kFixed

  static ClockSetting OffsetBy(std::chrono::milliseconds offset) {
    return {.mode = ClockMode::kOffset, .offset = offset};
  }
  static ClockSetting FixedAt(TimeMs time) { return {.mode = ClockMode::kFixed, .fixed = time}; }

  // system, fixed:2026-01-01T00:00:00Z, fixed:1767225600, offset:+31d, offset:-2h, offset:90 (a
  // time is in UTC or in seconds since the epoch, a duration as for ParseDuration). The error is
  // for people, and also says what would be right.
  static std::expected<ClockSetting, std::string> Parse(std::string_view text);

  // False if the clock would show a time outside kClockMin..kClockMax now.
  bool IsPossible() const;
};

// [+-]NUMBER[UNIT]: 90, +31d, -2h, 1.5m. Units are s, m, h, d and w; without one, seconds. Rounded
// to milliseconds; nullopt for anything else, and beyond ten thousand years.
std::optional<std::chrono::milliseconds> ParseDuration(std::string_view text);

// Ends when the last copy is gone: from then on the callback neither runs nor is running.
using TurnSubscription = std::shared_ptr<const void>;

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual TimeMs Now() const = 0;

  // Calls `turned` after every jump of the time, forwards or backwards, on the thread that turned
  // the clock; Now() is the new time by then. Who waits for a time should wake up, look at Now()
  // and decide anew. `turned` must be quick (notify a condition variable) and must neither turn the
  // clock nor begin or end subscriptions. The subscription must not outlive the clock, and must not
  // be ended with a lock held that `turned` takes.
  virtual TurnSubscription OnTurn(std::function<void()> turned) const = 0;
};

struct ClockReading {
  TimeMs now;
  ClockMode mode = ClockMode::kSystem;
  std::chrono::milliseconds offset{0};  // from the system's time, in every mode
};

// Thread-safe; reading the time takes no lock.
class TurnableClock : public Clock {
 public:
  // `system` is the system's time; empty: that of this machine.
  explicit TurnableClock(const ClockSetting& setting = {}, std::function<TimeMs()> system = {});
  TurnableClock(const TurnableClock&) = delete;
  TurnableClock& operator=(const TurnableClock&) = delete;

  // Within kClockMin..kClockMax, at whose ends a running clock stops.
  TimeMs Now() const override;
  ClockReading Read() const;

  // Both return false, and change nothing, if the new time would be out of bounds.
  bool Advance(std::chrono::milliseconds by);  // negative: back
  bool Set(TimeMs now);                        // a fixed clock stands there, others run on from it
  // Back to the setting.
  void Reset();

  TurnSubscription OnTurn(std::function<void()> turned) const override;

  // For a clock that several processes show. Each turn goes to `keep`, which gets what makes the new
  // setting of the one that all show (nullopt: out of bounds), and returns whether all show it now.
  // Empty: the clock is this process's own.
  using Turn = std::function<std::optional<ClockSetting>(const ClockSetting& shown)>;
  void ShareTurns(std::function<bool(const Turn& turn)> keep);
  // Shows what all show.
  void Show(const ClockSetting& shared);
  // What it shows.
  ClockSetting Shown() const;

 private:
  // What is shown, in one word, so that a reader never sees half of a turn.
  class Face;
  TimeMs System() const;
  bool TurnTo(const std::function<std::optional<Face>(Face)>& turn);
  void Show(Face face);
  void TellObservers() const;

  const std::function<TimeMs()> system_;  // empty: the machine's
  const std::int64_t setting_;            // a Face
  std::atomic<std::int64_t> face_;
  std::mutex turning_;                          // held to change face_
  std::function<bool(const Turn& turn)> keep_;  // guarded by turning_
  mutable std::mutex observers_mutex_;
  mutable std::list<std::function<void()>> observers_;
};

}  // namespace stator

#endif  // STATOR_CLOCK_H_
