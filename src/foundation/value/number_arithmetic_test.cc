#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "value/number.h"

namespace stator {
namespace number_arithmetic_test {

std::string Shown(const std::expected<Number, NumberProblem>& number) {
  if (number) return number->ToString();
  switch (number.error()) {
    case NumberProblem::kNotANumber:
      return "not a number";
    case NumberProblem::kOverflow:
      return "overflow";
    case NumberProblem::kUnderflow:
      return "underflow";
    case NumberProblem::kTooManyDigits:
      return "too many digits";
  }
  return {};
}

std::string Sum(std::string_view a, std::string_view b) {
  return Shown(Add(Number::Parse(a).value(), Number::Parse(b).value()));
}
std::string Difference(std::string_view a, std::string_view b) {
  return Shown(Subtract(Number::Parse(a).value(), Number::Parse(b).value()));
}

TEST(NumberArithmetic, IsExactDecimal) {
  EXPECT_EQ(Sum("0.1", "0.2"), "0.3");
  EXPECT_EQ(Sum("1", "-1"), "0");
  EXPECT_EQ(Sum("95", "5"), "100");
  EXPECT_EQ(Sum("0", "-7.5"), "-7.5");
  EXPECT_EQ(Sum("-7.5", "0"), "-7.5");
  EXPECT_EQ(Difference("1", "0.9"), "0.1");
  EXPECT_EQ(Difference("5", "12"), "-7");
  EXPECT_EQ(Difference("5", "0"), "5");
  EXPECT_EQ(Difference("0", "5"), "-5");
  EXPECT_EQ(Sum("1e37", "1"), "1" + std::string(36, '0') + "1");
}

TEST(NumberArithmetic, RefusesMoreThanThirtyEightDigits) {
  EXPECT_EQ(Sum("1e38", "1"), "too many digits");
  EXPECT_EQ(Sum("9e38", "1"), "too many digits");
  EXPECT_EQ(Sum("1e100", "1e-100"), "too many digits");
  EXPECT_EQ(Sum(std::string(38, '9'), "2"), "too many digits");
  EXPECT_EQ(Sum("1.9e38", "-0.1"), "too many digits");
}

TEST(NumberArithmetic, CarriesAndBorrowsAcrossTheThirtyEighthDigit) {
  EXPECT_EQ(Sum(std::string(38, '9'), "1"), "1" + std::string(38, '0'));
  EXPECT_EQ(Difference("1e38", "1"), std::string(38, '9'));
  EXPECT_EQ(Difference("1e38", std::string(38, '9')), "1");
  EXPECT_EQ(Difference(std::string(38, '9'), "1e38"), "-1");
  EXPECT_EQ(Sum(std::string(38, '5'), std::string(38, '5')), std::string(38, '1') + "0");
  EXPECT_EQ(Sum(std::string(38, '6'), std::string(38, '6')), "too many digits");
}

TEST(NumberArithmetic, ReportsResultsOutOfRange) {
  EXPECT_EQ(Sum("9e125", "1e125"), "overflow");
  EXPECT_EQ(Difference("-9e125", "1e125"), "overflow");
  EXPECT_EQ(Difference("1.5e-130", "1.4e-130"), "underflow");
}

TEST(NumberArithmetic, AgreesWithIntegers) {
  EXPECT_TRUE(rc::check([](std::int32_t a, std::int32_t b) {
    const auto x = static_cast<std::int64_t>(a) * 1000;
    const auto y = static_cast<std::int64_t>(b);
    RC_ASSERT(Add(Number::FromInt64(x), Number::FromInt64(y)).value() == Number::FromInt64(x + y));
    RC_ASSERT(Subtract(Number::FromInt64(x), Number::FromInt64(y)).value() ==
              Number::FromInt64(x - y));
  }));
}

TEST(NumberArithmetic, SubtractionUndoesAddition) {
  EXPECT_TRUE(rc::check([](std::int64_t a, std::int32_t b) {
    const auto shift = *rc::gen::inRange(-18, 18);
    const Number x = Number::FromInt64(a);
    const Number y = Number::Parse(std::to_string(b) + "e" + std::to_string(shift)).value();
    RC_ASSERT(Subtract(Add(x, y).value(), y).value() == x);
  }));
}

}  // namespace number_arithmetic_test
}  // namespace stator
