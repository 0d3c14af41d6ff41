#include "value/number_codec.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <string>

#include "value/number.h"
#include "value/testing/arbitrary.h"

namespace stator {
namespace number_codec_test {

std::string Encoded(std::string_view text) {
  std::string out;
  Number::Parse(text).value().AppendEncoded(out);
  return out;
}

// Decimal arithmetic on text alone: sign, place of the point, digits.
struct SlowDecimal {
  explicit SlowDecimal(std::string text) {
    if (text[0] == '-' || text[0] == '+') {
      negative = text[0] == '-';
      text.erase(0, 1);
    }
    if (const auto e = text.find('e'); e != std::string::npos) {
      point = std::stol(text.substr(e + 1));
      text.resize(e);
    }
    const auto dot = text.find('.');
    point += static_cast<long>(dot == std::string::npos ? text.size() : dot);
    if (dot != std::string::npos) text.erase(dot, 1);
    const auto first = text.find_first_not_of('0');
    if (first == std::string::npos) {
      negative = false;
      point = 0;
      return;
    }
    point -= static_cast<long>(first);
    digits = text.substr(first, text.find_last_not_of('0') - first + 1);
  }

  int Compare(const SlowDecimal& other) const {
    if (negative != other.negative) return negative ? -1 : 1;
    const int magnitude = CompareMagnitude(other);
    return negative ? -magnitude : magnitude;
  }

  int CompareMagnitude(const SlowDecimal& other) const {
    if (digits.empty() || other.digits.empty()) {
      return static_cast<int>(other.digits.empty()) - static_cast<int>(digits.empty());
    }
    if (point != other.point) return point < other.point ? -1 : 1;
    const std::size_t width = std::max(digits.size(), other.digits.size());
    std::string a = digits, b = other.digits;
    a.resize(width, '0');
    b.resize(width, '0');
    return a.compare(b);
  }

  std::string ToString() const {
    if (digits.empty()) return "0";
    std::string text = digits;
    const auto size = static_cast<long>(digits.size());
    if (point <= 0) {
      text = "0." + std::string(static_cast<std::size_t>(-point), '0') + digits;
    } else if (point >= size) {
      text += std::string(static_cast<std::size_t>(point - size), '0');
    } else {
      text.insert(static_cast<std::size_t>(point), ".");
    }
    return negative ? "-" + text : text;
  }

  bool negative = false;
  long point = 0;
  std::string digits;
};

int Sign(int order) { return (order > 0) - (order < 0); }

TEST(NumberCodec, WritesTheDocumentedBytes) {
  EXPECT_EQ(Encoded("0"), "\x80");
  EXPECT_EQ(Encoded("1"), std::string("\x81\x82\x0b\x00", 4));
  EXPECT_EQ(Encoded("-1"), std::string("\x7f\x7d\xf4\xff", 4));
  EXPECT_EQ(Encoded("123"), std::string("\x81\x84\x0d\x1f\x00", 5));
  EXPECT_EQ(Encoded("1e-130"), std::string("\x81\x00\x0b\x00", 4));
  EXPECT_EQ(Encoded("9.9e125"), std::string("\x81\xff\x64\x00", 4));
  EXPECT_EQ(Encoded(std::string(38, '9')).size(), 22U);
}

TEST(NumberCodec, TextSurvivesTheRoundTrip) {
  EXPECT_TRUE(rc::check([] {
    const std::string text = *testing::NumberText();
    const std::string shown = SlowDecimal(text).ToString();
    RC_ASSERT(Number::Parse(text).value().ToString() == shown);
    const std::string encoded = Encoded(text);
    RC_ASSERT(Number::Decode(encoded) == Number::Parse(text).value());
    RC_ASSERT(Number::Parse(shown).value() == Number::Parse(text).value());
    RC_ASSERT(EncodedNumberLength(encoded + "tail") == encoded.size());
    RC_ASSERT(NumberSizeBytes(encoded) == Number::Parse(text)->size_bytes());
  }));
}

TEST(NumberCodec, ByteOrderIsOrderByValue) {
  EXPECT_TRUE(rc::check([] {
    for (int i = 0; i < 30; ++i) {
      const std::string a = *testing::NumberText();
      const std::string b = *testing::NumberText();
      RC_ASSERT(Sign(Encoded(a).compare(Encoded(b))) ==
                Sign(SlowDecimal(a).Compare(SlowDecimal(b))));
    }
  }));
}

TEST(NumberCodec, NegativeSortsBelowZeroAtEveryExponent) {
  std::string previous = Encoded("-9e125");
  for (int exponent = 124; exponent >= -130; --exponent) {
    const std::string encoded = Encoded("-9e" + std::to_string(exponent));
    EXPECT_LT(previous, encoded) << exponent;
    EXPECT_LT(encoded, Encoded("0")) << exponent;
    previous = encoded;
  }
  EXPECT_LT(Encoded("0"), Encoded("1e-130"));
}

TEST(NumberCodec, NeighboursInDigitsKeepTheirOrder) {
  const std::vector<std::string> ascending = {"-1.01", "-1.001", "-1",   "-0.99", "0.9",     "0.99",
                                              "0.999", "1",      "1.01", "1.1",   "1.10001", "9",
                                              "9.9",   "10",     "10.1", "11",    "99",      "100"};
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    EXPECT_LT(Encoded(ascending[i - 1]), Encoded(ascending[i])) << ascending[i];
  }
}

TEST(NumberCodec, RefusesBytesThatNoNumberEncodesTo) {
  const std::vector<std::string> bad = {
      "",
      "\x79",
      "\x81",
      std::string("\x81\x82", 2),
      std::string("\x81\x82\x00", 3),          // no digit
      std::string("\x81\x82\x0a\x00", 4),      // first digit 0
      std::string("\x81\x82\x0b\x01\x00", 5),  // trailing zero pair
      std::string("\x81\x82\x65\x00", 4),      // no such pair
      std::string("\x81\x82\x0b", 3),          // no end
      std::string("\x7f\x7d\xf4\x00", 4),      // wrong end
      std::string("\x81\x82", 2) + std::string(20, '\x14') + std::string(1, '\0')};
  for (const std::string& bytes : bad) EXPECT_EQ(EncodedNumberLength(bytes), std::nullopt);
}

TEST(NumberCodec, WhateverIsAcceptedIsCanonical) {
  EXPECT_TRUE(rc::check([] {
    std::string bytes = Encoded(*testing::NumberText());
    const auto at = *rc::gen::inRange<std::size_t>(0, bytes.size());
    bytes[at] = *rc::gen::arbitrary<char>();
    const auto length = EncodedNumberLength(bytes);
    if (!length) return;
    const std::string_view accepted = std::string_view(bytes).substr(0, *length);
    std::string again;
    Number::Decode(accepted).AppendEncoded(again);
    RC_ASSERT(again == accepted);
    RC_ASSERT(Number::Parse(Number::Decode(accepted).ToString()).value() ==
              Number::Decode(accepted));
  }));
}

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

}  // namespace number_codec_test
}  // namespace stator
