// Powers of ten and decimal digit counts of 128-bit mantissas.
#ifndef STATOR_VALUE_DIGITS_H_
#define STATOR_VALUE_DIGITS_H_

#include <array>
#include <bit>
#include <cstdint>

#include "value/number.h"

namespace stator {

inline constexpr int kMaxDigits = 38;
// A number is 0.d1d2… × 10^point with d1 != 0; these are the points in range.
inline constexpr int kMinPoint = -129;
inline constexpr int kMaxPoint = 126;

// 10^0 … 10^38.
inline constexpr std::array<Uint128, kMaxDigits + 1> kPowersOfTen = [] {
  std::array<Uint128, kMaxDigits + 1> powers{};
  Uint128 power = 1;
  for (Uint128& entry : powers) {
    entry = power;
    power *= 10;  // the last product is not used and may wrap
  }
  return powers;
}();

constexpr int BitWidth(Uint128 value) {
  const auto high = static_cast<std::uint64_t>(value >> 64);
  if (high != 0) return 128 - std::countl_zero(high);
  return 64 - std::countl_zero(static_cast<std::uint64_t>(value));
}

// REQUIRES: 0 < value < 10^38.
constexpr int DigitCount(Uint128 value) {
  // 1233 / 4096 is log10(2) from below, close enough for 128 bits.
  const int estimate = BitWidth(value) * 1233 >> 12;
  return estimate + (value >= kPowersOfTen[static_cast<std::size_t>(estimate)] ? 1 : 0);
}

constexpr Uint128 PowerOfTen(int exponent) {
  return kPowersOfTen[static_cast<std::size_t>(exponent)];
}

}  // namespace stator

#endif  // STATOR_VALUE_DIGITS_H_
