#include "value/number.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <limits>
#include <utility>

#include "value/number_codec.h"
#include "value/testing/arbitrary.h"

namespace stator {
namespace number_test {

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

std::string Shown(std::string_view text, Wording wording = Wording::kCurrent) {
  return Shown(Number::Parse(text, wording));
}

Number Parsed(std::string_view text) { return Number::Parse(text).value(); }

std::string Encoded(const Number& number) {
  std::string out;
  number.AppendEncoded(out);
  return out;
}

std::string Zeros(std::size_t count) { return std::string(count, '0'); }
std::string Nines(std::size_t count) { return std::string(count, '9'); }

TEST(Number, NormalisesEveryAcceptedSpelling) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"+5", "5"},
      {".5", "0.5"},
      {"5.", "5"},
      {"1.e5", "100000"},
      {"-0", "0"},
      {"00042", "42"},
      {"1.0", "1"},
      {"3.1400", "3.14"},
      {"1.5E2", "150"},
      {"1E125", "1" + Zeros(125)},
      {"1e-130", "0." + Zeros(129) + "1"},
      {"0", "0"},
      {"-0.000", "0"},
      {"+0e5", "0"},
      {"-42", "-42"},
      {"1e+3", "1000"},
      {"-1.50e-1", "-0.15"},
      {"1e0000000000000000000000000000002", "100"},
      {"000000000000000000000000000000000000000000000000001", "1"},
      {"0.00000000000000000000000000000000000000000000000000", "0"},
      {"123456789012345678", "123456789012345678"},
      {"1234567890123456789", "1234567890123456789"},
      {"100000000000000000", "100000000000000000"}};
  for (const auto& [text, shown] : cases) EXPECT_EQ(Shown(text), shown) << text;
}

TEST(Number, RefusesWhatIsNotInTheGrammar) {
  for (const std::string_view text :
       {" 5",  "5 ",  "1_000", "0x5",   "NaN",   "Infinity", "-Infinity", "e2", "+e2", "1e",
        "1e+", "1e-", "++5",   "+-5",   "--5",   "1+2",      ".",         "-",  "+",   "-.",
        ".e1", "",    "1.2.3", "1e2.0", "1e2e3", "5f",       "1,000",     "٣",  "1\n"}) {
    EXPECT_EQ(Shown(text), "not a number") << text;
    EXPECT_EQ(Shown(text, Wording::kClassic), "not a number") << text;
  }
  EXPECT_EQ(Shown(std::string_view("1\0", 2)), "not a number");
}

TEST(Number, RangeEndsExactlyAtTheDocumentedMagnitudes) {
  EXPECT_EQ(Shown("9.9999999999999999999999999999999999999E125"), Nines(38) + Zeros(88));
  EXPECT_EQ(Shown("1e126"), "overflow");
  EXPECT_EQ(Shown("-1e126"), "overflow");
  EXPECT_EQ(Shown("10e125"), "overflow");
  EXPECT_EQ(Shown("0.1e126"), "1" + Zeros(125));
  EXPECT_EQ(Shown("9e-131"), "underflow");
  EXPECT_EQ(Shown("-0.1e-130"), "underflow");
  EXPECT_EQ(Shown("10e-131"), "0." + Zeros(129) + "1");
  EXPECT_EQ(Shown("1" + Zeros(126)), "overflow");
  EXPECT_EQ(Shown("0." + Zeros(130) + "1"), "underflow");
}

TEST(Number, HoldsThirtyEightDigitsAndNoMore) {
  EXPECT_EQ(Shown(Nines(38)), Nines(38));
  EXPECT_EQ(Shown(Nines(39)), "too many digits");
  EXPECT_EQ(Shown("1" + Zeros(37) + "1"), "too many digits");
  EXPECT_EQ(Shown("1" + Zeros(36) + "1"), "1" + Zeros(36) + "1");
  EXPECT_EQ(Shown(Nines(38) + Zeros(40)), Nines(38) + Zeros(40));
  EXPECT_EQ(Shown("0." + Zeros(50) + Nines(38)), "0." + Zeros(50) + Nines(38));
  EXPECT_EQ(Shown("0." + Zeros(50) + Nines(39)), "too many digits");
}

TEST(Number, RangeIsCheckedBeforeDigits) {
  EXPECT_EQ(Shown(Nines(39) + "e100"), "overflow");
  EXPECT_EQ(Shown("0." + Zeros(130) + Nines(39)), "underflow");
}

TEST(Number, CurrentGenerationReadsSixtyFourBitExponents) {
  EXPECT_EQ(Shown("1e2147483647"), "overflow");
  EXPECT_EQ(Shown("1e9223372036854775807"), "overflow");
  EXPECT_EQ(Shown("1e9223372036854775808"), "not a number");
  EXPECT_EQ(Shown("1e-9223372036854775808"), "underflow");
  EXPECT_EQ(Shown("1e-9223372036854775809"), "not a number");
  EXPECT_EQ(Shown("0e9223372036854775808"), "not a number");
  EXPECT_EQ(Shown("1e99999999999999999999999999"), "not a number");
}

TEST(Number, ClassicGenerationWrapsThirtyTwoBitExponents) {
  EXPECT_EQ(Shown("1e2147483647", Wording::kClassic), "underflow");
  EXPECT_EQ(Shown("1e2147483646", Wording::kClassic), "overflow");
  EXPECT_EQ(Shown("1e2147483649", Wording::kClassic), "not a number");
  EXPECT_EQ(Shown("1e-2147483648", Wording::kClassic), "not a number");
  EXPECT_EQ(Shown("1e-2147483647", Wording::kClassic), "underflow");
  EXPECT_EQ(Shown("1e99999999999999999999", Wording::kClassic), "not a number");
}

TEST(Number, OnlyTheCurrentGenerationChecksTheExponentOfZero) {
  EXPECT_EQ(Shown("0e125"), "0");
  EXPECT_EQ(Shown("0e126"), "overflow");
  EXPECT_EQ(Shown("-0.0e126"), "overflow");
  EXPECT_EQ(Shown("0e-130"), "0");
  EXPECT_EQ(Shown("0e-131"), "underflow");
  EXPECT_EQ(Shown("0e9223372036854775807"), "overflow");
  EXPECT_EQ(Shown("0e126", Wording::kClassic), "0");
  EXPECT_EQ(Shown("0e-131", Wording::kClassic), "0");
}

TEST(Number, SizesAreTheDocumentedOnes) {
  const std::vector<std::pair<std::string, int>> cases = {
      {"0", 1},       {"1", 2},      {"12", 2},     {"123", 3},
      {"1234", 3},    {"123456", 4}, {"1.5", 3},    {"0.15", 2},
      {"3.14159", 5}, {"100", 2},    {"1010", 3},   {"100.5", 4},
      {"-42", 3},     {"1E125", 2},  {"1E-100", 2}, {std::string(38, '7'), 20}};
  for (const auto& [text, bytes] : cases) {
    EXPECT_EQ(Parsed(text).size_bytes(), bytes) << text;
    EXPECT_EQ(NumberSizeBytes(Encoded(Parsed(text))), bytes) << text;
  }
}

TEST(Number, ConvertsToInt64OnlyWhenItIsOne) {
  EXPECT_EQ(Parsed("9223372036854775807").AsInt64(), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(Parsed("-9223372036854775808").AsInt64(), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(Parsed("9223372036854775808").AsInt64(), std::nullopt);
  EXPECT_EQ(Parsed("-9223372036854775809").AsInt64(), std::nullopt);
  EXPECT_EQ(Parsed("1e18").AsInt64(), 1'000'000'000'000'000'000);
  EXPECT_EQ(Parsed("1e19").AsInt64(), std::nullopt);
  EXPECT_EQ(Parsed("1e125").AsInt64(), std::nullopt);
  EXPECT_EQ(Parsed("1.5").AsInt64(), std::nullopt);
  EXPECT_EQ(Parsed("-0").AsInt64(), 0);
}

TEST(Number, ComesFromEveryInt64) {
  EXPECT_TRUE(rc::check([](std::int64_t value) {
    RC_ASSERT(Number::FromInt64(value).ToString() == std::to_string(value));
    RC_ASSERT(Number::FromInt64(value).AsInt64() == value);
    RC_ASSERT(Number::FromInt64(value) == Parsed(std::to_string(value)));
  }));
  const auto least = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(Number::FromInt64(least).ToString(), std::to_string(least));
  const auto most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(Number::FromUint64(most).ToString(), std::to_string(most));
}

TEST(Digits, CountsAreExactAroundEveryPowerOfTen) {
  for (int power = 1; power < kMaxDigits; ++power) {
    EXPECT_EQ(DigitCount(PowerOfTen(power)), power + 1);
    EXPECT_EQ(DigitCount(PowerOfTen(power) - 1), power);
    EXPECT_EQ(DigitCount(PowerOfTen(power) + 1), power + 1);
  }
  for (int bit = 0; bit < 126; ++bit) {
    const Uint128 value = Uint128{1} << bit;
    const int digits = DigitCount(value);
    EXPECT_TRUE(PowerOfTen(digits - 1) <= value && value < PowerOfTen(digits)) << bit;
  }
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

}  // namespace number_test
}  // namespace stator
