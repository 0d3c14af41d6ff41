#include "systems/calls/time_text.h"

#include <fmt/format.h>

namespace stator::systems::calls {

std::expected<TimeMs, std::string> ParseTime(std::string_view text, TimeMs now) {
  if (text == "now") return now;
  if (text.starts_with('+') || text.starts_with('-')) {
    if (const auto duration = ParseDuration(text)) return now + *duration;
  } else if (text.contains('T')) {
    const auto setting = ClockSetting::Parse(fmt::format("fixed:{}", text));
    if (setting) return setting->fixed;
  }
  return std::unexpected(fmt::format(
      "'{}' is no time after 1970: write it as 2026-03-02T09:00:00Z, or as +2h from now", text));
}

std::string TimeText(TimeMs time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  std::string text =
      fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}", static_cast<int>(date.year()),
                  static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                  clock.hours().count(), clock.minutes().count(), clock.seconds().count());
  if (const auto part = clock.subseconds().count(); part != 0) text += fmt::format(".{:03}", part);
  return text + "Z";
}

}  // namespace stator::systems::calls
