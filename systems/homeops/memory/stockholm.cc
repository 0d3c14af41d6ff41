#include "systems/homeops/memory/stockholm.h"

#include <date/tz.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <exception>

namespace stator::systems::homeops {
namespace {

constexpr std::int64_t kLastSecond = 253'402'214'400;  // a day before the year 10000
constexpr std::array<const char*, 7> kDayCodes = {"sun", "mon", "tue", "wed", "thu", "fri", "sat"};

// Null when the system has no time zones.
const date::time_zone* Zone() {
  static const date::time_zone* const zone = []() -> const date::time_zone* {
    try {
      return date::locate_zone("Europe/Stockholm");
    } catch (const std::exception&) {
      return nullptr;
    }
  }();
  return zone;
}

// What stands in for the zone data: the rules of the European Union, in force since 1996.
date::local_seconds ByRule(date::sys_seconds at) {
  using namespace date::literals;
  const auto year = date::year_month_day(date::floor<date::days>(at)).year();
  const auto change = [&](date::month month) {
    return date::sys_days(year / month / date::Sunday[date::last]) + std::chrono::hours(1);
  };
  const bool summer = at >= change(date::March) && at < change(date::October);
  return date::local_seconds((at + std::chrono::hours(summer ? 2 : 1)).time_since_epoch());
}

date::local_seconds Local(std::int64_t epoch_s) {
  const date::sys_seconds at(
      std::chrono::seconds(std::clamp<std::int64_t>(epoch_s, 0, kLastSecond)));
  const date::time_zone* zone = Zone();
  return zone == nullptr ? ByRule(at) : zone->to_local(at);
}

std::int64_t FromLocal(date::local_seconds local) {
  // One of the two offsets leads to a moment that shows this time; the earlier one in autumn. In
  // spring neither does, and the change itself lies where the later offset begins.
  const std::int64_t shown = local.time_since_epoch().count();
  for (const int hours : {2, 1}) {
    const std::int64_t at = shown - hours * 3600;
    if (Local(at) == local) return at;
  }
  const std::int64_t after = shown - 3600;
  return after - after % 3600;
}

std::optional<int> Digits(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

StockholmTime InStockholm(std::int64_t epoch_s) {
  const date::local_seconds local = Local(epoch_s);
  const auto day = date::floor<date::days>(local);
  const date::year_month_day date(day);
  const date::hh_mm_ss time(local - day);
  return {.date = fmt::format("{:04}-{:02}-{:02}", int(date.year()), unsigned(date.month()),
                              unsigned(date.day())),
          .day = kDayCodes[date::weekday(day).c_encoding()],
          .hour = int(time.hours().count()),
          .minute = int(time.minutes().count())};
}

std::int64_t WeekStart(std::int64_t epoch_s) {
  const auto day = date::floor<date::days>(Local(epoch_s));
  const auto since_monday = date::weekday(day) - date::Monday;
  return FromLocal(date::local_seconds(day - since_monday));
}

std::optional<std::int64_t> FromStockholm(std::string_view date, int hour, int minute) {
  if (date.size() != 10 || date[4] != '-' || date[7] != '-') return std::nullopt;
  const auto year = Digits(date.substr(0, 4));
  const auto month = Digits(date.substr(5, 2));
  const auto day = Digits(date.substr(8, 2));
  if (!year || !month || !day || *year < 1970 || *month < 1 || *day < 1) return std::nullopt;
  const date::year_month_day ymd = date::year(*year) / *month / *day;
  if (!ymd.ok() || hour < 0 || hour > 23 || minute < 0 || minute > 59) return std::nullopt;
  return FromLocal(date::local_days(ymd) + std::chrono::hours(hour) + std::chrono::minutes(minute));
}

std::string StockholmText(std::int64_t epoch_s) {
  const StockholmTime time = InStockholm(epoch_s);
  return fmt::format("{} {:02}:{:02}", time.date, time.hour, time.minute);
}

}  // namespace stator::systems::homeops
