#include "model/parse/rate_text.h"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/try.h"
#include "model/parse/nearest_name.h"

namespace stator::model {
namespace {

struct RateUnit {
  std::string_view name;
  double seconds;  // 0: a month, which the model says
};

constexpr std::array kUnits{
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

// A plain number, or events in a second.
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
      return std::unexpected(fmt::format("`{}` is not a rate that can be", text_));
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
    for (const RateUnit& known : kUnits) {
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

Read<Rate> ReadRate(std::string_view text, const Assumptions& assumptions) {
  return RateReader(text, assumptions).Run();
}

}  // namespace stator::model
