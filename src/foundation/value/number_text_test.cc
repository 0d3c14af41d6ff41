#include "value/number_text.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <string>

#include "value/digits.h"

namespace stator {
namespace number_text_test {

std::string Zeros(int count) { return std::string(static_cast<std::size_t>(count), '0'); }

// 0.digits × 10^point in plain decimal.
std::string PlainText(const std::string& digits, int point) {
  const auto count = static_cast<int>(digits.size());
  if (point <= 0) return "0." + Zeros(-point) + digits;
  if (point >= count) return digits + Zeros(point - count);
  return digits.substr(0, static_cast<std::size_t>(point)) + "." +
         digits.substr(static_cast<std::size_t>(point));
}

// What Number makes of the text; empty if it is refused.
std::string Parsed(const std::string& text, Wording wording) {
  std::string encoded;
  if (const auto number = Number::Parse(text, wording)) number->AppendEncoded(encoded);
  return encoded;
}

std::string Encoded(const std::string& text, Wording wording) {
  std::array<char, kMaxNumberEncoding> bytes;
  const auto end = EncodeNumber(bytes.data(), text, wording);
  return end ? std::string(bytes.data(), *end) : std::string();
}

void ExpectSameAsNumber(const std::string& text) {
  for (const Wording wording : {Wording::kCurrent, Wording::kClassic}) {
    ASSERT_EQ(Encoded(text, wording), Parsed(text, wording)) << text;
  }
}

TEST(NumberText, EveryCountOfDigitsAtEveryPointIsWrittenPlainly) {
  const std::string all = "12345678900987654321102030405060708091";
  for (std::size_t count = 1; count <= kMaxDigits; ++count) {
    std::string digits = all.substr(0, count);
    if (digits.back() == '0') digits.back() = '5';
    for (int point = kMinPoint; point <= kMaxPoint; ++point) {
      const std::string text = PlainText(digits, point);
      for (const std::string& signed_text : {text, "-" + text}) {
        std::array<char, kNumberTextRoom> room;
        const std::string encoded = Parsed(signed_text, Wording::kCurrent);
        const char* const end = WriteNumberText(room.data(), encoded);
        ASSERT_EQ(std::string_view(room.data(), end), signed_text);
        ASSERT_EQ(Encoded(signed_text, Wording::kCurrent), encoded) << signed_text;
      }
    }
  }
}

TEST(NumberText, EncodesLikeNumberAroundEveryLength) {
  for (std::size_t count = 0; count <= 45; ++count) {
    for (const char digit : {'0', '1', '9'}) {
      const std::string digits(count, digit);
      for (std::size_t point = 0; point <= count; ++point) {
        const std::string text = digits.substr(0, point) + "." + digits.substr(point);
        for (const std::string& written : {text, "0" + text, text + "00", "00" + text + "7"}) {
          ExpectSameAsNumber(written);
          ExpectSameAsNumber("-" + written);
        }
      }
      ExpectSameAsNumber(digits);
      ExpectSameAsNumber("-" + digits);
      ExpectSameAsNumber("10" + digits);
    }
  }
}

TEST(NumberText, EncodesLikeNumberWhatIsOddOrNoNumber) {
  for (const std::string text :
       {"",   "-",   "+",  ".",     "-.",    "1.2.3",  "--1", "1-", "+5", "1e5",
        "-0", "0.0", "1 ", "0e500", "1e126", "1e-131", "/",   ":",  "1/", "1:"}) {
    ExpectSameAsNumber(text);
  }
}

TEST(NumberText, EncodesLikeNumberWhateverIsMadeOfItsCharacters) {
  EXPECT_TRUE(rc::check([] {
    const auto text =
        *rc::gen::container<std::string>(rc::gen::elementOf(std::string("000123456789..-+eE")));
    for (const Wording wording : {Wording::kCurrent, Wording::kClassic}) {
      RC_ASSERT(Encoded(text, wording) == Parsed(text, wording));
    }
  }));
}

}  // namespace number_text_test
}  // namespace stator
