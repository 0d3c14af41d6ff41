#include "stator/typed_item.h"

#include <gtest/gtest.h>

namespace stator {
namespace typed_item_test {

enum class Colour { kRed, kBlue };
std::string_view ToText(Colour colour) { return colour == Colour::kRed ? "red" : "blue"; }
bool FromText(std::string_view text, Colour& colour) {
  colour = text == "red" ? Colour::kRed : Colour::kBlue;
  return text == "red" || text == "blue";
}

template <class T>
void ExpectRoundTrip(const T& value, Type type) {
  Item item;
  typed::Put(item, "a", value);
  ASSERT_TRUE(item.Find("a"));
  EXPECT_EQ(item.Find("a")->type(), type);
  T read{};
  ASSERT_TRUE(typed::Take(item.view(), "a", read));
  EXPECT_EQ(read, value);
}

TEST(TypedItem, EveryTypeComesBackAsItWas) {
  ExpectRoundTrip(std::string("text"), Type::kS);
  ExpectRoundTrip(std::int64_t{-42}, Type::kN);
  ExpectRoundTrip(Decimal(std::string("12.5")), Type::kN);
  ExpectRoundTrip(true, Type::kBool);
  ExpectRoundTrip(Bytes{std::string("\0\xff", 2)}, Type::kB);
  ExpectRoundTrip(std::vector<std::string>{"a", "b"}, Type::kSS);
  ExpectRoundTrip(std::vector<Decimal>{Decimal(1), Decimal(20)}, Type::kNS);
  ExpectRoundTrip(std::vector<Bytes>{{"x"}, {"y"}}, Type::kBS);
  ExpectRoundTrip(typed::Counters{{"mon", 1}, {"tue", 0}}, Type::kM);
  ExpectRoundTrip(Colour::kBlue, Type::kS);
  ExpectRoundTrip(std::optional<std::string>("x"), Type::kS);
}

TEST(TypedItem, AbsentValuesAndEmptySetsAreLeftOut) {
  Item item;
  typed::Put(item, "a", std::optional<std::int64_t>());
  typed::Put(item, "b", std::vector<std::string>());
  EXPECT_TRUE(item.empty());
  std::optional<std::int64_t> number = 7;
  std::vector<std::string> set = {"old"};
  EXPECT_TRUE(typed::Take(item.view(), "a", number));
  EXPECT_TRUE(typed::Take(item.view(), "b", set));
  EXPECT_FALSE(number);
  EXPECT_TRUE(set.empty());
}

TEST(TypedItem, WhatDoesNotFitIsAnError) {
  const Item item{{"text", "x"}, {"fraction", AttributeValue::Number("1.5")}};
  std::int64_t number = 0;
  Colour colour = Colour::kRed;
  EXPECT_FALSE(typed::Take(item.view(), "missing", number));
  EXPECT_FALSE(typed::Take(item.view(), "text", number));
  EXPECT_FALSE(typed::Take(item.view(), "fraction", number));
  EXPECT_FALSE(typed::Take(item.view(), "text", colour));
}

TEST(TypedItem, NumbersInKeysArePaddedLikeJavasFormat) {
  EXPECT_EQ(typed::Text(std::int64_t{1700000000000}, 13), "1700000000000");
  EXPECT_EQ(typed::Text(std::int64_t{42}, 13), "0000000000042");
  EXPECT_EQ(typed::Text(std::int64_t{-1}, 13), "-000000000001");
  EXPECT_EQ(typed::Text(std::int64_t{42}), "42");
}

}  // namespace typed_item_test
}  // namespace stator
