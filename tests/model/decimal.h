// The model's own numbers: exact decimals, kept as digits and an exponent.
//
// Written apart from value/number on purpose: the model shares no code with what it judges.
#ifndef STATOR_TESTS_MODEL_DECIMAL_H_
#define STATOR_TESTS_MODEL_DECIMAL_H_

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>

namespace stator::model_test {

class Decimal {
 public:
  Decimal() = default;
  // REQUIRES: `text` is a number as DynamoDB accepts it.
  static Decimal Parse(std::string_view text);

  // Plain decimal notation, as DynamoDB returns it.
  std::string Text() const;
  // Bytes that the number counts for in an item.
  std::size_t SizeBytes() const;

  Decimal Negated() const;
  friend Decimal operator+(const Decimal& a, const Decimal& b);
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b);
  friend bool operator==(const Decimal& a, const Decimal& b) = default;

 private:
  // Digits that stand before the point, none when the number is a pure fraction.
  std::size_t IntegerDigits() const;
  static Decimal Normalized(bool negative, std::string digits, int exponent);

  // The value is 0.d₁d₂… × 10^exponent; no zero at either end of the digits; zero has none.
  bool negative_ = false;
  std::string digits_;
  int exponent_ = 0;
};

}  // namespace stator::model_test

#endif  // STATOR_TESTS_MODEL_DECIMAL_H_
