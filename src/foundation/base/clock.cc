// The text form of a ClockSetting:
//
//   setting  = "system" | "fixed:" time | "offset:" duration
//   time     = YYYY-MM-DDTHH:MM:SS[.fraction]Z | number        (UTC | seconds since the epoch)
//   duration = ["+" | "-"] number ["s" | "m" | "h" | "d" | "w"]
//   number   = digits ["." digits]
#include "base/clock.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include "stator/clock.h"

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

constexpr double kMsPerSecond = 1000;
constexpr double kDurationMsMax = 10'000.0 * 366 * 86'400 * kMsPerSecond;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// A whole text of digits, perhaps with a fraction: no sign, no exponent.
std::optional<double> ParseNumber(std::string_view text) {
  const auto is_part = [](char c) { return IsDigit(c) || c == '.'; };
  if (text.empty() || !IsDigit(text.front()) || !IsDigit(text.back())) return std::nullopt;
  if (!std::ranges::all_of(text, is_part)) return std::nullopt;
  double number = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (parsed.ec != std::errc() || parsed.ptr != end) return std::nullopt;
  return number;
}

std::optional<milliseconds> RoundedMs(double ms) {
  if (!(std::abs(ms) <= kDurationMsMax)) return std::nullopt;
  return milliseconds(std::llround(ms));
}

// 0 for what is not a unit.
double SecondsOf(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    case 'd':
      return 86'400;
    case 'w':
      return 604'800;
    default:
      return 0;
  }
}

std::optional<TimeMs> ParseUtc(std::string_view text) {
  constexpr std::string_view kForm = "....-..-..T..:..:..";
  if (text.size() <= kForm.size() || text.back() != 'Z') return std::nullopt;
  if (text[kForm.size()] != 'Z' && text[kForm.size()] != '.') return std::nullopt;
  for (std::size_t i = 0; i < kForm.size(); ++i) {
    if (kForm[i] == '.' ? !IsDigit(text[i]) : text[i] != kForm[i]) return std::nullopt;
  }
  const auto number = [text](std::size_t begin, std::size_t count) {
    int value = 0;
    for (const char digit : text.substr(begin, count)) value = value * 10 + (digit - '0');
    return value;
  };
  const std::chrono::year_month_day date{std::chrono::year(number(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  const std::chrono::hours hours(number(11, 2));
  const std::chrono::minutes minutes(number(14, 2));
  if (!date.ok() || hours.count() > 23 || minutes.count() > 59) return std::nullopt;

  constexpr std::size_t kSecondsAt = 17;
  const auto seconds = ParseNumber(text.substr(kSecondsAt, text.size() - kSecondsAt - 1));
  if (!seconds || *seconds >= 60) return std::nullopt;
  return std::chrono::sys_days(date) + hours + minutes +
         milliseconds(std::llround(*seconds * kMsPerSecond));
}

std::optional<TimeMs> ParseTime(std::string_view text) {
  const std::optional<double> epoch_seconds = ParseNumber(text);
  if (!epoch_seconds) return ParseUtc(text);
  const std::optional<milliseconds> ms = RoundedMs(*epoch_seconds * kMsPerSecond);
  if (!ms) return std::nullopt;
  return TimeMs(*ms);
}

std::optional<ClockSetting> ParseForm(std::string_view text) {
  constexpr std::string_view kFixed = "fixed:";
  constexpr std::string_view kOffset = "offset:";
  if (text == "system") return ClockSetting();
  if (text.starts_with(kFixed)) {
    const std::optional<TimeMs> time = ParseTime(text.substr(kFixed.size()));
    if (time) return ClockSetting::FixedAt(*time);
  }
  if (text.starts_with(kOffset)) {
    const std::optional<milliseconds> offset = ParseDuration(text.substr(kOffset.size()));
    if (offset) return ClockSetting::OffsetBy(*offset);
  }
  return std::nullopt;
}

}  // namespace

// The lowest bit is 1 if the clock stands still. The others are the time it shows, or how far it is
// ahead of the system; both fit easily into 62 bits.
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

  ClockSetting Setting() const {
    if (stands()) return ClockSetting::FixedAt(At({}));
    return offset() == milliseconds(0) ? ClockSetting() : ClockSetting::OffsetBy(offset());
  }
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

TurnableClock::TurnableClock(const ClockSetting& setting, std::function<TimeMs()> system)
    : system_(std::move(system)), setting_(Face::Of(setting).word()), face_(setting_) {}

TimeMs TurnableClock::System() const { return system_ ? system_() : SystemNow(); }

TimeMs TurnableClock::Now() const {
  const Face face(face_.load(std::memory_order_acquire));
  return face.stands() ? face.At({}) : face.At(System());
}

ClockReading TurnableClock::Read() const {
  const Face face(face_.load(std::memory_order_acquire));
  const TimeMs system = System();
  const TimeMs now = face.At(system);
  if (face.stands()) return {now, ClockMode::kFixed, now - system};
  const bool differs = face.offset() != milliseconds(0);
  return {now, differs ? ClockMode::kOffset : ClockMode::kSystem, face.offset()};
}

bool TurnableClock::Advance(milliseconds by) {
  return TurnTo([this, by](Face face) -> std::optional<Face> {
    const std::optional<TimeMs> now = After(face.At(System()), by);
    if (!now) return std::nullopt;
    // The offset grows by exactly `by`: turns that add up to nothing leave no trace.
    return face.stands() ? Face::Standing(*now) : Face::Running(face.offset() + by);
  });
}

bool TurnableClock::Set(TimeMs now) {
  return TurnTo([this, now](Face face) -> std::optional<Face> {
    if (!InBounds(now)) return std::nullopt;
    return face.stands() ? Face::Standing(now) : Face::Running(now - System());
  });
}

void TurnableClock::Reset() {
  TurnTo([this](Face) -> std::optional<Face> { return Face(setting_); });
}

bool TurnableClock::TurnTo(const std::function<std::optional<Face>(Face)>& turn) {
  {
    std::unique_lock lock(turning_);
    if (const auto keep = keep_) {
      lock.unlock();  // what is kept comes back by Show
      return keep([&turn](const ClockSetting& shown) -> std::optional<ClockSetting> {
        const std::optional<Face> face = turn(Face::Of(shown));
        if (!face) return std::nullopt;
        return face->Setting();
      });
    }
    const std::optional<Face> face = turn(Face(face_.load()));
    if (!face) return false;
    Show(*face);
  }
  TellObservers();
  return true;
}

void TurnableClock::ShareTurns(std::function<bool(const Turn& turn)> keep) {
  const std::scoped_lock lock(turning_);
  keep_ = std::move(keep);
}

void TurnableClock::Show(const ClockSetting& shared) {
  {
    const std::scoped_lock lock(turning_);
    Show(Face::Of(shared));
  }
  TellObservers();
}

ClockSetting TurnableClock::Shown() const {
  return Face(face_.load(std::memory_order_acquire)).Setting();
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

// Holds the lock that ends subscriptions, so that none ends during its callback.
void TurnableClock::TellObservers() const {
  const std::scoped_lock lock(observers_mutex_);
  for (const std::function<void()>& turned : observers_) turned();
}

std::optional<milliseconds> ParseDuration(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  double unit_seconds = 1;
  if (!text.empty() && !IsDigit(text.back())) {
    unit_seconds = SecondsOf(text.back());
    if (unit_seconds == 0) return std::nullopt;
    text.remove_suffix(1);
  }
  const std::optional<double> number = ParseNumber(text);
  if (!number) return std::nullopt;
  const double ms = *number * unit_seconds * kMsPerSecond;
  return RoundedMs(negative ? -ms : ms);
}

std::expected<ClockSetting, std::string> ClockSetting::Parse(std::string_view text) {
  const std::optional<ClockSetting> setting = ParseForm(text);
  if (!setting) {
    return std::unexpected(fmt::format(
        "'{}' is not a clock: give system, fixed:TIME with a time such as 2026-01-01T00:00:00Z or "
        "seconds since 1970, or offset:DURATION such as +31d, -2h or 90 (units s m h d w)",
        text));
  }
  if (!setting->IsPossible()) {
    return std::unexpected(
        fmt::format("'{}' is out of range: a clock shows years from 1970 to 9999", text));
  }
  return *setting;
}

}  // namespace stator
