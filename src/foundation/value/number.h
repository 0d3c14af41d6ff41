// Number: DynamoDB's exact decimal, 38 digits, magnitude 1E-130 … 9.99…E125, and zero.
//
// The encoding sorts by value under memcmp and is its own key encoding:
//
//   number   := 0x80                                   zero
//             | 0x81 e:u8 digit+ 0x00                  positive, 0.d1d2… × 10^(e-129)
//             | 0x7F ^e:u8 ^digit+ 0xFF                negative, every byte complemented
//   digit    := two decimal digits d1d2 as d1*10+d2+1  (1 … 100), no trailing zero pair
//
// The first decimal digit is never 0, so every number has one encoding. At most 22 bytes.
#ifndef STATOR_VALUE_NUMBER_H_
#define STATOR_VALUE_NUMBER_H_

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "base/wording.h"

namespace stator {

enum class NumberProblem : std::uint8_t { kNotANumber, kOverflow, kUnderflow, kTooManyDigits };

__extension__ using Uint128 = unsigned __int128;

class Number {
 public:
  Number() = default;  // zero

  // Reads DynamoDB's number grammar (behaviour.md §3.1). The generations differ in how they treat
  // huge exponents and written zeros.
  static std::expected<Number, NumberProblem> Parse(std::string_view text,
                                                    Wording wording = Wording::kCurrent);
  static Number FromInt64(std::int64_t value);
  static Number FromUint64(std::uint64_t value) { return FromMagnitude(value, false); }
  // REQUIRES: `encoded` is a well-formed encoding.
  static Number Decode(std::string_view encoded);

  void AppendEncoded(std::string& out) const;
  // Plain decimal text: no exponent, no superfluous zeros.
  void AppendText(std::string& out) const;
  std::string ToString() const;
  std::optional<std::int64_t> AsInt64() const;

  // Bytes that DynamoDB charges for the number.
  int size_bytes() const;

  friend std::expected<Number, NumberProblem> Add(const Number& a, const Number& b);
  friend std::expected<Number, NumberProblem> Subtract(const Number& a, const Number& b);
  friend bool operator==(const Number& a, const Number& b) = default;

 private:
  // Takes trailing zeros out of the mantissa and checks the range.
  static std::expected<Number, NumberProblem> Make(bool negative, Uint128 mantissa, int exponent);
  static Number FromMagnitude(std::uint64_t magnitude, bool negative);

  // value = (-1)^negative × mantissa × 10^exponent; mantissa < 10^38 and not a multiple of 10.
  Uint128 mantissa_ = 0;
  int exponent_ = 0;
  bool negative_ = false;
};

// What ToString and size_bytes say about an encoded number, without decoding it.
// REQUIRES: `encoded` is a well-formed encoding.
void AppendNumberText(std::string& out, std::string_view encoded);
int NumberSizeBytes(std::string_view encoded);

// Length of the encoded number at the front of `bytes` if it is well formed.
std::optional<std::size_t> EncodedNumberLength(std::string_view bytes);

}  // namespace stator

#endif  // STATOR_VALUE_NUMBER_H_
