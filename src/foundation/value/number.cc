// Number::Parse reads:
//
//   number := sign? digits [e|E sign? digit+]       digits: at least one digit, at most one point
#include "value/number.h"

#include <algorithm>
#include <array>
#include <limits>

#include "value/number_codec.h"

namespace stator {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Text that has been split at its grammar, with the significant digits counted.
struct ScannedNumber {
  bool negative = false;
  Uint128 mantissa = 0;             // of the first 38 significant digits
  std::int64_t significant = 0;     // digits from the first to the last that is not zero
  std::int64_t trailing_zeros = 0;  // written behind the last significant digit
  std::int64_t fraction = 0;        // digits written behind the point
  bool exponent_negative = false;
  std::string_view exponent;  // its digits; empty if none was written
};

// Reads the digits from `pos` on; false if there are none.
bool ScanDigits(std::string_view text, std::size_t& pos, ScannedNumber& number) {
  bool point = false;
  const std::size_t start = pos;
  for (; pos < text.size(); ++pos) {
    const char c = text[pos];
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (!IsDigit(c)) break;
    if (point) ++number.fraction;
    if (c == '0') {
      // Zeros count only once a digit follows them.
      if (number.significant != 0) ++number.trailing_zeros;
      continue;
    }
    const std::int64_t digits = number.trailing_zeros + 1;
    number.significant += digits;
    number.trailing_zeros = 0;
    if (number.significant <= kMaxDigits) {
      number.mantissa =
          number.mantissa * PowerOfTen(static_cast<int>(digits)) + static_cast<unsigned>(c - '0');
    }
  }
  return pos - start > (point ? 1U : 0U);
}

bool ScanExponent(std::string_view text, std::size_t& pos, ScannedNumber& number) {
  if (pos == text.size()) return true;
  if (text[pos] != 'e' && text[pos] != 'E') return false;
  ++pos;
  if (pos < text.size() && (text[pos] == '+' || text[pos] == '-')) {
    number.exponent_negative = text[pos] == '-';
    ++pos;
  }
  number.exponent = text.substr(pos);
  for (; pos < text.size(); ++pos) {
    if (!IsDigit(text[pos])) return false;
  }
  return !number.exponent.empty();
}

bool Scan(std::string_view text, ScannedNumber& number) {
  std::size_t pos = 0;
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) {
    number.negative = text[0] == '-';
    ++pos;
  }
  return ScanDigits(text, pos, number) && ScanExponent(text, pos, number);
}

// The written exponent, if it fits in a 64-bit integer.
std::optional<std::int64_t> ExponentOf(const ScannedNumber& number) {
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::uint64_t limit = kMax + (number.exponent_negative ? 1 : 0);
  std::uint64_t magnitude = 0;
  for (const char c : number.exponent) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (magnitude > (limit - digit) / 10) return std::nullopt;
    magnitude = magnitude * 10 + digit;
  }
  return static_cast<std::int64_t>(number.exponent_negative ? 0 - magnitude : magnitude);
}

// The older generation keeps exponent and scale in 32 bits: what does not fit is not a number, and
// the magnitude wraps around.
std::expected<std::int64_t, NumberProblem> ClassicPoint(const ScannedNumber& number,
                                                        std::int64_t exponent) {
  constexpr std::int64_t kMaxExponent = 9'999'999'999;  // ten digits are read
  if (exponent > kMaxExponent || exponent < -kMaxExponent) {
    return std::unexpected(NumberProblem::kNotANumber);
  }
  const std::int64_t scale = number.fraction - exponent;
  if (scale > std::numeric_limits<std::int32_t>::max() ||
      scale < std::numeric_limits<std::int32_t>::min()) {
    return std::unexpected(NumberProblem::kNotANumber);
  }
  const std::int64_t precision = number.significant + number.trailing_zeros;
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(precision - scale));
}

// Where the point is: the value is 0.d1d2… × 10^point.
std::expected<std::int64_t, NumberProblem> PointOf(const ScannedNumber& number, Wording wording) {
  const std::optional<std::int64_t> exponent = ExponentOf(number);
  if (!exponent) return std::unexpected(NumberProblem::kNotANumber);
  if (!IsCurrent(wording)) return ClassicPoint(number, *exponent);
  // Far outside the range either way; clamped so that the sums cannot overflow.
  constexpr std::int64_t kFar = std::int64_t{1} << 60;
  const std::int64_t clamped = std::clamp(*exponent, -kFar, kFar);
  // The current generation checks a zero by the exponent it was written with.
  if (number.mantissa == 0) return clamped + 1;
  return number.significant + number.trailing_zeros - number.fraction + clamped;
}

}  // namespace

std::expected<Number, NumberProblem> Number::Parse(std::string_view text, Wording wording) {
  // Nearly all numbers are short integers.
  constexpr std::size_t kShort = 18;
  if (text.size() <= kShort) {
    const std::size_t sign = !text.empty() && text[0] == '-' ? 1 : 0;
    std::uint64_t magnitude = 0;
    std::size_t pos = sign;
    for (; pos < text.size() && IsDigit(text[pos]); ++pos) {
      magnitude = magnitude * 10 + static_cast<std::uint64_t>(text[pos] - '0');
    }
    if (pos == text.size() && pos > sign) return FromMagnitude(magnitude, sign == 1);
  }

  ScannedNumber scanned;
  if (!Scan(text, scanned)) return std::unexpected(NumberProblem::kNotANumber);
  const auto point = PointOf(scanned, wording);
  if (!point) return std::unexpected(point.error());
  if (scanned.mantissa == 0 && !IsCurrent(wording)) return Number();
  if (*point > kMaxPoint) return std::unexpected(NumberProblem::kOverflow);
  if (*point < kMinPoint) return std::unexpected(NumberProblem::kUnderflow);
  if (scanned.significant > kMaxDigits) return std::unexpected(NumberProblem::kTooManyDigits);
  if (scanned.mantissa == 0) return Number();
  Number number;
  number.mantissa_ = scanned.mantissa;
  number.exponent_ = static_cast<int>(*point - scanned.significant);
  number.negative_ = scanned.negative;
  return number;
}

Number Number::FromMagnitude(std::uint64_t magnitude, bool negative) {
  Number number;
  if (magnitude == 0) return number;
  while (magnitude % 10 == 0) {
    magnitude /= 10;
    ++number.exponent_;
  }
  number.mantissa_ = magnitude;
  number.negative_ = negative;
  return number;
}

Number Number::FromInt64(std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  return FromMagnitude(value < 0 ? 0 - bits : bits, value < 0);
}

std::expected<Number, NumberProblem> Number::Make(bool negative, Uint128 mantissa, int exponent) {
  if (mantissa == 0) return Number();
  while (mantissa % 10 == 0) {
    mantissa /= 10;
    ++exponent;
  }
  const bool too_long = mantissa >= PowerOfTen(kMaxDigits);
  const int digits = too_long ? kMaxDigits + 1 : DigitCount(mantissa);
  if (digits + exponent > kMaxPoint) return std::unexpected(NumberProblem::kOverflow);
  if (digits + exponent < kMinPoint) return std::unexpected(NumberProblem::kUnderflow);
  if (too_long) return std::unexpected(NumberProblem::kTooManyDigits);
  Number number;
  number.mantissa_ = mantissa;
  number.exponent_ = exponent;
  number.negative_ = negative;
  return number;
}

std::string Number::ToString() const {
  std::string text;
  AppendText(text);
  return text;
}

std::optional<std::int64_t> Number::AsInt64() const {
  constexpr int kMaxInt64Digits = 19;
  if (mantissa_ == 0) return 0;
  if (exponent_ < 0 || DigitCount(mantissa_) + exponent_ > kMaxInt64Digits) return std::nullopt;
  const Uint128 magnitude = mantissa_ * PowerOfTen(exponent_);
  const Uint128 limit = Uint128{std::numeric_limits<std::int64_t>::max()} + (negative_ ? 1U : 0U);
  if (magnitude > limit) return std::nullopt;
  const auto bits = static_cast<std::uint64_t>(magnitude);
  return static_cast<std::int64_t>(negative_ ? 0 - bits : bits);
}

std::expected<Number, NumberProblem> Add(const Number& a, const Number& b) {
  if (a.mantissa_ == 0) return b;
  if (b.mantissa_ == 0) return a;
  const Number& high = a.exponent_ >= b.exponent_ ? a : b;
  const Number& low = a.exponent_ >= b.exponent_ ? b : a;
  const int shift = high.exponent_ - low.exponent_;
  // Aligned to the exponent of `low`, `high` ends in zeros and `low` in another digit, so the
  // result has no trailing zero to drop. `low` is below 10^38: if `high` is at least 2 × 10^38, the
  // result is at least 10^38 and has more than 38 digits.
  const Uint128 limit = 2 * PowerOfTen(kMaxDigits);
  if (shift > kMaxDigits || high.mantissa_ >= limit / PowerOfTen(shift)) {
    return std::unexpected(NumberProblem::kTooManyDigits);
  }
  const Uint128 aligned = high.mantissa_ * PowerOfTen(shift);
  if (high.negative_ == low.negative_) {
    return Number::Make(high.negative_, aligned + low.mantissa_, low.exponent_);
  }
  if (aligned >= low.mantissa_) {
    return Number::Make(high.negative_, aligned - low.mantissa_, low.exponent_);
  }
  return Number::Make(low.negative_, low.mantissa_ - aligned, low.exponent_);
}

std::expected<Number, NumberProblem> Subtract(const Number& a, const Number& b) {
  Number negated = b;
  if (negated.mantissa_ != 0) negated.negative_ = !negated.negative_;
  return Add(a, negated);
}

}  // namespace stator
