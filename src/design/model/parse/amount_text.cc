#include "model/parse/amount_text.h"

#include <fmt/format.h>

#include <cmath>

namespace stator::model {
namespace {

constexpr double kGreatest = 1e18;

std::optional<double> UnitBytes(std::string_view unit) {
  if (unit.empty() || unit == "B") return 1;
  if (unit == "KB" || unit == "KiB") return 1024;
  if (unit == "MB" || unit == "MiB") return 1024.0 * 1024;
  if (unit == "GB" || unit == "GiB") return 1024.0 * 1024 * 1024;
  return std::nullopt;
}

std::optional<double> ReadQuantity(std::string_view text) {
  text = Trim(text);
  std::size_t end = text.size();
  while (end > 0 && !IsDigit(text[end - 1]) && text[end - 1] != '.') --end;
  const auto unit = UnitBytes(Trim(text.substr(end)));
  const auto number = ReadNumber(text.substr(0, end));
  if (!unit || !number || *number < 0 || *number > kGreatest) return std::nullopt;
  return *number * *unit;
}

}  // namespace

Read<Amount> ReadAmount(std::string_view text) {
  const auto malformed = [&] {
    return std::unexpected(fmt::format(
        "`{}` is not an amount; write `500`, `1e6`, `30 KB`, or usual/greatest: `500/1500`", text));
  };
  const std::vector<std::string_view> parts = SplitText(text, '/');
  if (parts.size() > 2) return malformed();
  const auto typical = ReadQuantity(parts.front());
  const auto max = ReadQuantity(parts.back());
  if (!typical || !max) return malformed();
  if (*max < *typical) {
    return std::unexpected(
        fmt::format("`{}`: the greatest value, after the /, is below the usual one", text));
  }
  return Amount{*typical, *max};
}

Read<double> ReadShare(std::string_view text) {
  std::string_view number = Trim(text);
  const bool percent = number.ends_with('%');
  if (percent) number.remove_suffix(1);
  auto share = ReadNumber(number);
  if (share && percent) *share /= 100;
  if (!share || *share < 0 || *share > 1) {
    return std::unexpected(fmt::format("`{}` is not a share; write `5%` or `0.05`", text));
  }
  return *share;
}

Read<std::int64_t> ReadCount(std::string_view text, std::int64_t most) {
  const auto number = ReadNumber(text);
  if (!number || *number < 1 || *number > static_cast<double>(most) ||
      *number != std::floor(*number)) {
    return std::unexpected(fmt::format("`{}` is not a whole number from 1 to {}", text, most));
  }
  return static_cast<std::int64_t>(*number);
}

Read<double> ReadFactor(std::string_view text) {
  std::string_view digits = Trim(text);
  if (digits.ends_with('x')) digits.remove_suffix(1);
  const auto number = ReadNumber(digits);
  if (!number || *number < 1 || *number > 1e6) {
    return std::unexpected(fmt::format("`{}` is not a factor of at least 1; write `6x`", text));
  }
  return *number;
}

}  // namespace stator::model
