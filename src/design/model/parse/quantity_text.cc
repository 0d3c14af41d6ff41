#include "model/parse/quantity_text.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "base/try.h"
#include "model/names.h"

namespace stator::model {
namespace {

constexpr double kGreatestAmount = 1e18;

std::optional<double> BytesPerUnit(std::string_view unit) {
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
  const auto unit = BytesPerUnit(Trim(text.substr(end)));
  const auto number = ReadNumber(text.substr(0, end));
  if (!unit || !number || *number < 0 || *number > kGreatestAmount) return std::nullopt;
  return *number * *unit;
}

using std::chrono::seconds;

struct DurationUnit {
  std::string_view name;
  double seconds;
};

constexpr std::array kDurationUnits{
    DurationUnit{"ms", 0.001}, DurationUnit{"s", 1},
    DurationUnit{"m", 60},     DurationUnit{"min", 60},
    DurationUnit{"h", 3600},   DurationUnit{"d", 86400},
    DurationUnit{"w", 604800}, DurationUnit{"y", 365 * 86400.0},
};
constexpr double kLongestSeconds = 1000 * 365.25 * 86400;

std::optional<double> SecondsOf(std::string_view unit) {
  for (const DurationUnit& known : kDurationUnits) {
    if (known.name == unit) return known.seconds;
  }
  return std::nullopt;
}

std::string Malformed(std::string_view text) {
  return fmt::format("`{}` is not a duration; write `30m`, `1d`, with s, m, h, d, w or y", text);
}

struct RateUnit {
  std::string_view name;
  double seconds;  // 0: a month, whose length the model assumes
};

constexpr std::array kRateUnits{
    RateUnit{"s", 1},
    RateUnit{"sec", 1},
    RateUnit{"second", 1},
    RateUnit{"min", 60},
    RateUnit{"minute", 60},
    RateUnit{"h", 3600},
    RateUnit{"hour", 3600},
    RateUnit{"d", 86400},
    RateUnit{"day", 86400},
    RateUnit{"w", 604800},
    RateUnit{"week", 604800},
    RateUnit{"month", 0},
    RateUnit{"year", 365 * 86400.0},
    RateUnit{"y", 365 * 86400.0},
};
constexpr double kGreatestPerSecond = 1e12;

// A plain number, or events per second.
struct Quantity {
  double value = 0;
  bool is_rate = false;
};

class RateReader {
 public:
  RateReader(std::string_view text, const Assumptions& assumptions)
      : text_(text), cursor_(text), assumptions_(assumptions) {}

  Read<Rate> Run() {
    ASSIGN_OR_RETURN(Quantity sum, Product());
    while (!cursor_.AtEnd()) {
      const bool plus = cursor_.Take("+");
      if (!plus && !cursor_.Take("-")) return std::unexpected(Malformed());
      ASSIGN_OR_RETURN(const Quantity next, Product());
      if (next.is_rate != sum.is_rate) return std::unexpected(Malformed());
      sum.value += plus ? next.value : -next.value;
    }
    if (!sum.is_rate && sum.value != 0) {
      return std::unexpected(
          fmt::format("`{}` lacks a unit of time; write `{}/day`", text_, text_));
    }
    if (!(sum.value >= 0 && sum.value <= kGreatestPerSecond)) {
      return std::unexpected(fmt::format("`{}` is not a possible rate", text_));
    }
    return Rate{sum.value};
  }

 private:
  Read<Quantity> Product() {
    ASSIGN_OR_RETURN(Quantity product, Factor());
    while (cursor_.Take("*")) {
      ASSIGN_OR_RETURN(const Quantity next, Factor());
      if (product.is_rate && next.is_rate) {
        return std::unexpected(fmt::format("`{}` multiplies a rate by a rate", text_));
      }
      product = {product.value * next.value, product.is_rate || next.is_rate};
    }
    return product;
  }

  Read<Quantity> Factor() {
    if (cursor_.Take("$")) return Named();
    ASSIGN_OR_RETURN(const double number, Number());
    if (cursor_.Take("%")) return Quantity{number / 100, false};
    if (!cursor_.Take("/")) return Quantity{number, false};
    const std::string_view unit = Word();
    for (const RateUnit& known : kRateUnits) {
      if (known.name != unit) continue;
      const double length =
          known.seconds > 0 ? known.seconds : static_cast<double>(assumptions_.month.count());
      return Quantity{number / length, true};
    }
    return std::unexpected(
        fmt::format("unknown unit of time `{}` in `{}`; one of s, min, h, day, week, month, year",
                    unit, text_));
  }

  Read<Quantity> Named() {
    const std::string_view name =
        cursor_.TakeWhile([](char c) { return IsNameCharacter(c) && c != '-' && c != '.'; });
    const auto it = assumptions_.rates.find(std::string(name));
    if (it == assumptions_.rates.end()) return std::unexpected(UnknownRate(name));
    Quantity rate{it->second.per_second, true};
    if (cursor_.Take("/")) {
      ASSIGN_OR_RETURN(const double divisor, Number());
      if (divisor == 0) return std::unexpected(fmt::format("`{}` divides by zero", text_));
      rate.value /= divisor;
    }
    return rate;
  }

  Read<double> Number() {
    const auto number = ReadNumber(cursor_.TakeWhile(
        [](char c) { return IsDigit(c) || c == '.' || c == '_' || c == 'e' || c == 'E'; }));
    if (!number) return std::unexpected(Malformed());
    return *number;
  }

  std::string_view Word() {
    return cursor_.TakeWhile([](char c) { return c >= 'a' && c <= 'z'; });
  }

  std::string Malformed() const {
    return fmt::format("`{}` is not a rate; write `10/day`, `2 * $name` or `60/day + $name`",
                       text_);
  }

  std::string UnknownRate(std::string_view name) const {
    std::vector<std::string_view> valid;
    for (const auto& [known, rate] : assumptions_.rates) valid.push_back(known);
    const std::string hint = NameHint(name, valid);
    return fmt::format("unknown rate `${}`{}", name,
                       hint.empty() ? "; name it in assume.rates" : fmt::format(" ({})", hint));
  }

  std::string_view text_;
  TextCursor cursor_;
  const Assumptions& assumptions_;
};

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

Read<Rate> ReadRate(std::string_view text, const Assumptions& assumptions) {
  return RateReader(text, assumptions).Run();
}

}  // namespace stator::model
