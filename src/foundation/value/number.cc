#include "value/number.h"

#include <array>
#include <limits>

#include "value/digits.h"

namespace stator {

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
  // Aligned, `low` ends in a digit that is not zero and is below 10^38. From 2 × 10^38 on, `high`
  // leaves more than 38 digits whatever is added or taken away.
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
