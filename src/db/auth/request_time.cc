#include "auth/request_time.h"

#include <algorithm>
#include <array>

namespace stator {
namespace {

struct Fields {
  int year = 0;
  unsigned month = 0;
  unsigned day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
};

// Reads `text` along `form`, where Y M D h m s stand for digits of those fields, ? for anything,
// and every other character for itself.
std::optional<Fields> Read(std::string_view text, std::string_view form) {
  if (text.size() != form.size()) return std::nullopt;
  Fields fields;
  for (std::size_t i = 0; i < form.size(); ++i) {
    if (form[i] == '?') continue;
    const auto append = [digit = text[i] - '0'](auto& field) {
      using Field = std::remove_reference_t<decltype(field)>;
      if (digit < 0 || digit > 9) return false;
      field = static_cast<Field>(field * 10 + static_cast<Field>(digit));
      return true;
    };
    bool fits = false;
    switch (form[i]) {
      case 'Y':
        fits = append(fields.year);
        break;
      case 'M':
        fits = append(fields.month);
        break;
      case 'D':
        fits = append(fields.day);
        break;
      case 'h':
        fits = append(fields.hour);
        break;
      case 'm':
        fits = append(fields.minute);
        break;
      case 's':
        fits = append(fields.second);
        break;
      default:
        fits = text[i] == form[i];
    }
    if (!fits) return std::nullopt;
  }
  return fields;
}

std::optional<std::chrono::sys_seconds> TimeOf(const Fields& fields) {
  const std::chrono::year_month_day date{std::chrono::year(fields.year),
                                         std::chrono::month(fields.month),
                                         std::chrono::day(fields.day)};
  if (!date.ok() || fields.hour > 23 || fields.minute > 59 || fields.second > 59) {
    return std::nullopt;
  }
  return std::chrono::sys_days(date) + std::chrono::hours(fields.hour) +
         std::chrono::minutes(fields.minute) + std::chrono::seconds(fields.second);
}

}  // namespace

std::optional<std::chrono::sys_seconds> ParseAmzDate(std::string_view text) {
  const std::optional<Fields> fields = Read(text, "YYYYMMDDThhmmssZ");
  return fields ? TimeOf(*fields) : std::nullopt;
}

std::optional<std::chrono::sys_seconds> ParseHttpDate(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kMonths = {
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  // The M of GMT would be a digit.
  std::optional<Fields> fields = Read(text, "???, DD ??? YYYY hh:mm:ss G?T");
  if (!fields || !text.ends_with("GMT")) return std::nullopt;
  const auto* const month = std::ranges::find(kMonths, text.substr(8, 3));
  if (month == kMonths.end()) return std::nullopt;
  fields->month = static_cast<unsigned>(month - kMonths.begin()) + 1;
  return TimeOf(*fields);
}

}  // namespace stator
