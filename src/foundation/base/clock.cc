#include "base/clock.h"

#include <algorithm>
#include <utility>

namespace stator {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSpanMax = kClockMax - kClockMin;

TimeMs SystemNow() { return SystemClock().Now(); }

bool InBounds(TimeMs time) { return time >= kClockMin && time <= kClockMax; }

// The time `by` after `from`, unless that is out of bounds. REQUIRES: `from` is within them.
std::optional<TimeMs> After(TimeMs from, milliseconds by) {
  if (by > kSpanMax || by < -kSpanMax || !InBounds(from + by)) return std::nullopt;
  return from + by;
}

TimeMs Bounded(TimeMs time) { return std::clamp(time, kClockMin, kClockMax); }

}  // namespace

// The lowest bit: 1 if the clock stands. The others: where it stands, or how far it is ahead of the
// system. Both are well within 62 bits.
class TurnableClock::Face {
 public:
  static Face Standing(TimeMs at) { return Face(at.time_since_epoch().count() * 2 + 1); }
  static Face Running(milliseconds offset) { return Face(offset.count() * 2); }
  static Face Of(const ClockSetting& setting) {
    if (setting.mode == ClockMode::kFixed) return Standing(Bounded(setting.fixed));
    if (setting.mode == ClockMode::kSystem) return Running(milliseconds(0));
    return Running(std::clamp(setting.offset, -kSpanMax, kSpanMax));
  }
  explicit Face(std::int64_t word) : word_(word) {}

  std::int64_t word() const { return word_; }
  bool stands() const { return (word_ & 1) != 0; }
  milliseconds offset() const { return milliseconds(word_ >> 1); }
  TimeMs At(TimeMs system) const {
    return stands() ? TimeMs(milliseconds(word_ >> 1)) : Bounded(system + offset());
  }

 private:
  std::int64_t word_;
};

bool ClockSetting::IsPossible() const {
  switch (mode) {
    case ClockMode::kSystem:
      return true;
    case ClockMode::kOffset:
      return After(Bounded(SystemNow()), offset).has_value();
    case ClockMode::kFixed:
      return InBounds(fixed);
  }
  return false;
}

TurnableClock::TurnableClock(const ClockSetting& setting)
    : setting_(Face::Of(setting).word()), face_(setting_) {}

TimeMs TurnableClock::Now() const {
  const Face face(face_.load(std::memory_order_acquire));
  return face.stands() ? face.At({}) : face.At(SystemNow());
}

ClockReading TurnableClock::Read() const {
  const Face face(face_.load(std::memory_order_acquire));
  const TimeMs system = SystemNow();
  const TimeMs now = face.At(system);
  if (face.stands()) return {now, ClockMode::kFixed, now - system};
  const bool differs = face.offset() != milliseconds(0);
  return {now, differs ? ClockMode::kOffset : ClockMode::kSystem, face.offset()};
}

bool TurnableClock::Advance(milliseconds by) {
  {
    const std::scoped_lock lock(turning_);
    const Face face(face_.load());
    const std::optional<TimeMs> now = After(face.At(SystemNow()), by);
    if (!now) return false;
    // The offset grows by exactly `by`: turns that add up to nothing leave no trace.
    Show(face.stands() ? Face::Standing(*now) : Face::Running(face.offset() + by));
  }
  TellObservers();
  return true;
}

bool TurnableClock::Set(TimeMs now) {
  if (!InBounds(now)) return false;
  {
    const std::scoped_lock lock(turning_);
    const Face face(face_.load());
    Show(face.stands() ? Face::Standing(now) : Face::Running(now - SystemNow()));
  }
  TellObservers();
  return true;
}

void TurnableClock::Reset() {
  {
    const std::scoped_lock lock(turning_);
    Show(Face(setting_));
  }
  TellObservers();
}

void TurnableClock::Show(Face face) { face_.store(face.word(), std::memory_order_release); }

TurnSubscription TurnableClock::OnTurn(std::function<void()> turned) const {
  const std::scoped_lock lock(observers_mutex_);
  const auto place = observers_.insert(observers_.end(), std::move(turned));
  return {&*place, [this, place](const void*) {
            const std::scoped_lock ending(observers_mutex_);
            observers_.erase(place);
          }};
}

// Under the lock that ends subscriptions, so that none ends in the middle of its callback.
void TurnableClock::TellObservers() const {
  const std::scoped_lock lock(observers_mutex_);
  for (const std::function<void()>& turned : observers_) turned();
}

}  // namespace stator
