#include <gtest/gtest.h>

#include "expr/test_expressions.h"

namespace stator {
namespace statement_size_test {

const TestMaps& Maps() {
  static const TestMaps maps{.values = {{":s", "12345"},
                                        {":n", 1},
                                        {":l", AttributeValue::List({})},
                                        {":ss", AttributeValue::StringSet({"aa", "bbb"})},
                                        {":ns", AttributeValue::NumberSet({"1", "1234"})}}};
  return maps;
}

std::size_t Bytes(std::string_view text, const Item& before = {}) {
  return ParseUpdate(text, Maps())->StatementBytes(before.view());
}

TEST(StatementSize, ChargesEveryClause) {
  EXPECT_EQ(Bytes("SET abc = :s"), 3U + 19 + 3 + 5);
  EXPECT_EQ(Bytes("SET abc = :s, d = :s"), 3U + (19 + 3 + 5) + (19 + 1 + 5));
  EXPECT_EQ(Bytes("REMOVE abc"), 3U + 1 + 3);
  EXPECT_EQ(Bytes("DELETE abc :ss"), 3U + 1 + 3);
  EXPECT_EQ(Bytes("ADD abc :n"), 3U + 19 + 3 + 2);
}

TEST(StatementSize, ChargesFurtherElementsOfTargets) {
  EXPECT_EQ(Bytes("SET abc.de[10] = :s"), 3U + 19 + 3 + (4 + 2) + (4 + 2) + 5);
}

TEST(StatementSize, ChargesOperands) {
  EXPECT_EQ(Bytes("SET a = bcd"), 3U + 19 + 1 + (1 + 14 + 3));
  EXPECT_EQ(Bytes("SET a = b.c[0]"), 3U + 19 + 1 + (1 + 3 * 15));
  EXPECT_EQ(Bytes("SET a = b + :n"), 3U + 19 + 1 + 34 + (1 + 15) + 2);
  EXPECT_EQ(Bytes("SET a = b - :n"), 3U + 19 + 1 + 37 + (1 + 15) + 2);
  EXPECT_EQ(Bytes("SET a = if_not_exists(b, :s)"), 3U + 19 + 1 + 39 + (1 + 15) + 5);
  EXPECT_EQ(Bytes("SET a = list_append(b, :l)"), 3U + 19 + 1 + 37 + (1 + 15) + 3);
}

TEST(StatementSize, ChargesOnlyMembersThatAreAdded) {
  EXPECT_EQ(Bytes("ADD a :ss"), 3U + 19 + 1 + 5);
  EXPECT_EQ(Bytes("ADD a :ss", {{"a", AttributeValue::StringSet({"aa", "z"})}}), 3U + 19 + 1 + 3);
  EXPECT_EQ(Bytes("ADD a :ns", {{"a", AttributeValue::NumberSet({"1234"})}}), 3U + 19 + 1 + 2);
  EXPECT_EQ(Bytes("ADD a :ns", {{"a", "text"}}), 3U + 19 + 1 + 5);
}

TEST(StatementSize, LegacyUpdatesAreFree) {
  const Result<Update> update =
      Update::FromAttributeUpdates({{"a", {.value = AttributeValue("text")}}}, Wording::kCurrent);
  ASSERT_TRUE(update);
  EXPECT_EQ(update->StatementBytes(ItemView()), 0U);
}

}  // namespace statement_size_test
}  // namespace stator
