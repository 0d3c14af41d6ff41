#include "model/parse/duration_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>

namespace stator::model {
namespace {

using std::chrono::seconds;

struct DurationUnit {
  std::string_view name;
  double seconds;
};

constexpr std::array kUnits{
    DurationUnit{"ms", 0.001}, DurationUnit{"s", 1},
    DurationUnit{"m", 60},     DurationUnit{"min", 60},
    DurationUnit{"h", 3600},   DurationUnit{"d", 86400},
    DurationUnit{"w", 604800}, DurationUnit{"y", 365 * 86400.0},
};
constexpr double kLongestSeconds = 1000 * 365.25 * 86400;

std::optional<double> SecondsOf(std::string_view unit) {
  for (const DurationUnit& known : kUnits) {
    if (known.name == unit) return known.seconds;
  }
  return std::nullopt;
}

std::string Malformed(std::string_view text) {
  return fmt::format("`{}` is not a duration; write `30m`, `1d`, with s, m, h, d, w or y", text);
}

}  // namespace

Read<seconds> ReadDuration(std::string_view text) {
  TextCursor cursor(text);
  double total = 0;
  do {
    const auto number =
        ReadNumber(cursor.TakeWhile([](char c) { return IsDigit(c) || c == '.' || c == '_'; }));
    const auto unit = SecondsOf(cursor.TakeWhile([](char c) { return c >= 'a' && c <= 'z'; }));
    if (!number || !unit) return std::unexpected(Malformed(text));
    total += *number * *unit;
  } while (!cursor.AtEnd());
  if (total > kLongestSeconds) return std::unexpected(fmt::format("`{}` is too long", text));
  return seconds(static_cast<std::int64_t>(std::ceil(total)));
}

Read<seconds> ReadNow(std::string_view text) {
  TextCursor cursor(text);
  if (!cursor.Take("now")) return std::unexpected(fmt::format("`{}` is not a time", text));
  if (cursor.AtEnd()) return seconds(0);
  const bool later = cursor.Take("+");
  if (!later && !cursor.Take("-")) return std::unexpected(fmt::format("`{}` is not a time", text));
  const auto distance = ReadDuration(Trim(cursor.rest()));
  if (!distance) return distance;
  return later ? *distance : -*distance;
}

}  // namespace stator::model
