// Numbers from text to their encoding and back, written through a pointer; and the decimal
// arithmetic of 128-bit mantissas.
#ifndef STATOR_VALUE_NUMBER_CODEC_H_
#define STATOR_VALUE_NUMBER_CODEC_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>

#include "base/wording.h"
#include "value/number.h"

namespace stator {

// The longest text has 170 bytes; the rest of the room is left undefined.
inline constexpr std::size_t kNumberTextRoom = 256;

// Writes what AppendNumberText appends, and returns the end of the text.
// REQUIRES: `encoded` is a well-formed encoding, and kNumberTextRoom bytes may be written at `to`.
char* WriteNumberText(char* to, std::string_view encoded);

// The longest encoding.
inline constexpr std::size_t kMaxNumberEncoding = 22;

// Writes the encoding of what Number::Parse reads, and returns its end.
// REQUIRES: kMaxNumberEncoding bytes may be written at `to`.
std::expected<char*, NumberProblem> EncodeNumber(char* to, std::string_view text, Wording wording);

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

#endif  // STATOR_VALUE_NUMBER_CODEC_H_
