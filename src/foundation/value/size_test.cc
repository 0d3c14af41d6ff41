#include "value/size.h"

#include <gtest/gtest.h>

namespace stator {
namespace size_test {

std::size_t Size(const AttributeValue& value) { return ValueSizeBytes(value.view()); }

TEST(Size, TextCountsUtf8BytesAndBinaryItsBytes) {
  EXPECT_EQ(Size(""), 0U);
  EXPECT_EQ(Size("abc"), 3U);
  EXPECT_EQ(Size("é€😀"), 9U);
  EXPECT_EQ(Size(AttributeValue::Binary(std::string_view("\0\xff", 2))), 2U);
}

TEST(Size, BooleansAndNullCountOne) {
  EXPECT_EQ(Size(true), 1U);
  EXPECT_EQ(Size(AttributeValue::Null()), 1U);
}

TEST(Size, NumbersCountDigitsInPairs) {
  EXPECT_EQ(Size(0), 1U);
  EXPECT_EQ(Size(-42), 3U);
  EXPECT_EQ(Size(AttributeValue::Number("100.5")), 4U);
}

TEST(Size, SetsCountTheirMembersOnly) {
  EXPECT_EQ(Size(AttributeValue::StringSet({"a", "bc", ""})), 3U);
  EXPECT_EQ(Size(AttributeValue::NumberSet({"1", "123", "-42"})), 8U);
  EXPECT_EQ(Size(AttributeValue::BinarySet({"a", "bcd"})), 4U);
}

TEST(Size, ContainersCountThreeAndOneAnElement) {
  EXPECT_EQ(Size(AttributeValue::List({})), 3U);
  EXPECT_EQ(Size(AttributeValue::List({"ab", 1})), 3U + 1 + 2 + 1 + 2);
  EXPECT_EQ(Size(AttributeValue::Map({})), 3U);
  EXPECT_EQ(Size(AttributeValue::Map({{"key", "ab"}})), 3U + 1 + 3 + 2);
  EXPECT_EQ(Size(AttributeValue::List({AttributeValue::List({})})), 3U + 1 + 3);
}

TEST(Size, ItemsCountNamesAndValues) {
  const Item item{{"pk", "user#1"}, {"é", 42}};
  EXPECT_EQ(ItemSizeBytes(item.view()), 2U + 6 + 2 + 2);
  EXPECT_EQ(ItemSizeBytes(ItemView()), 0U);
  EXPECT_EQ(AttributeSizeBytes("pk", AttributeValue("user#1").view()), 8U);
}

}  // namespace size_test
}  // namespace stator
