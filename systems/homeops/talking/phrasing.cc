#include "systems/homeops/talking/phrasing.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

#include "systems/homeops/memory/stockholm.h"

namespace stator::systems::homeops {
namespace {

constexpr std::int64_t kDaySeconds = 86'400;

// "i måndags".
std::string_view PastDay(std::string_view day) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kDays = {
      {{"mon", "i måndags"},
       {"tue", "i tisdags"},
       {"wed", "i onsdags"},
       {"thu", "i torsdags"},
       {"fri", "i fredags"},
       {"sat", "i lördags"},
       {"sun", "i söndags"}}};
  for (const auto& [name, text] : kDays) {
    if (name == day) return text;
  }
  return day;
}

// "3 mars", with the year if that is another.
std::string DateText(const std::string& date, const std::string& today) {
  static constexpr std::array<std::string_view, 13> kMonths = {
      "",     "januari", "februari",  "mars",    "april",    "maj",     "juni",
      "juli", "augusti", "september", "oktober", "november", "december"};
  unsigned month = 0;
  unsigned day = 0;
  std::from_chars(date.data() + 5, date.data() + 7, month);
  std::from_chars(date.data() + 8, date.data() + 10, day);
  std::string text = fmt::format("{} {}", day, kMonths[month <= 12 ? month : 0]);
  if (date.substr(0, 4) != today.substr(0, 4)) text += " " + date.substr(0, 4);
  return text;
}

}  // namespace

std::string WhenText(std::int64_t at, std::int64_t now) {
  const StockholmTime then = InStockholm(at);
  const std::string today = InStockholm(now).date;
  const std::int64_t midnight = FromStockholm(today, 0, 0).value_or(now);
  std::string day;
  if (then.date == today) {
    day = "i dag";
  } else if (then.date == InStockholm(midnight - 1).date) {
    day = "i går";
  } else if (at < now && at >= midnight - 6 * kDaySeconds) {
    day = PastDay(then.day);
  } else {
    day = DateText(then.date, today);
  }
  return fmt::format("{} kl. {:02}:{:02}", day, then.hour, then.minute);
}

std::string TimesText(std::int64_t count) {
  if (count == 0) return "inte en enda gång";
  return count == 1 ? "en gång" : fmt::format("{} gånger", count);
}

std::string ListText(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) text += i + 1 == parts.size() ? " och " : ", ";
    text += parts[i];
  }
  return text;
}

}  // namespace stator::systems::homeops
