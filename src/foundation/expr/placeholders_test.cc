#include "expr/placeholders.h"

#include <gtest/gtest.h>

#include "expr/testing/expressions.h"
#include "value/value_problem.h"

namespace stator {
namespace placeholders_test {

std::string NamesMessage(const NameMap& names) {
  return MessageOf(Placeholders(&names, nullptr, Wording::kCurrent).CheckMaps());
}

std::string ValuesMessage(const ValueMap& values, Wording wording = Wording::kCurrent) {
  return MessageOf(Placeholders(nullptr, &values, wording).CheckMaps());
}

TEST(Placeholders, AbsentMapsAreFine) {
  EXPECT_TRUE(Placeholders(nullptr, nullptr, Wording::kCurrent).CheckMaps());
  EXPECT_TRUE(Placeholders(nullptr, nullptr, Wording::kCurrent).CheckUnused());
}

TEST(Placeholders, MapsMayNotBeEmpty) {
  EXPECT_EQ(NamesMessage({}), "ExpressionAttributeNames must not be empty");
  EXPECT_EQ(ValuesMessage({}), "ExpressionAttributeValues must not be empty");
}

TEST(Placeholders, NamesAreCheckedBeforeValues) {
  const NameMap names;
  const ValueMap values;
  EXPECT_EQ(MessageOf(Placeholders(&names, &values, Wording::kCurrent).CheckMaps()),
            "ExpressionAttributeNames must not be empty");
}

TEST(Placeholders, KeysHaveASyntax) {
  for (const std::string key : {"#", "a", "##", "#a.b", "#é", "", ":a", "#a "}) {
    EXPECT_EQ(NamesMessage({{"#ok", "x"}, {key, "x"}}),
              "ExpressionAttributeNames contains invalid key: Syntax error; key: \"" + key + "\"");
  }
  for (const std::string key : {":", "a", "#a", ":a-b", ""}) {
    EXPECT_EQ(ValuesMessage({{key, 1}}),
              "ExpressionAttributeValues contains invalid key: Syntax error; key: \"" + key + "\"");
  }
  EXPECT_EQ(NamesMessage({{"#_0aZ", "x"}}), "(accepted)");
  EXPECT_EQ(ValuesMessage({{":0_aZ", 1}}), "(accepted)");
}

TEST(Placeholders, KeysHaveAtMost255Bytes) {
  EXPECT_EQ(NamesMessage({{"#" + std::string(254, 'a'), "x"}}), "(accepted)");
  EXPECT_EQ(NamesMessage({{"!" + std::string(255, 'a'), "x"}}),
            "ExpressionAttributeNames contains invalid key: The expression attribute map contains "
            "a key that "
            "is too long; size of key: 256");
  EXPECT_EQ(ValuesMessage({{":" + std::string(254, 'a'), 1}}), "(accepted)");
  EXPECT_EQ(
      ValuesMessage({{":" + std::string(255, 'a'), 1}}),
      "ExpressionAttributeValues contains invalid key: The expression attribute map contains a key "
      "that is too long;");
}

TEST(Placeholders, NamesMayNotBeEmpty) {
  EXPECT_EQ(NamesMessage({{"#a", "x"}, {"#b", ""}}),
            "ExpressionAttributeNames contains invalid value: Empty attribute name for key #b");
}

TEST(Placeholders, ValuesMustBeAcceptable) {
  const AttributeValue bad = AttributeValue::WithProblem({.kind = ValueProblem::Kind::kNoType});
  const std::string reason =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  EXPECT_EQ(ValuesMessage({{":a", 1}, {":v", bad}}), reason);
  EXPECT_EQ(ValuesMessage({{":a", 1}, {":v", bad}}, Wording::kClassic),
            "ExpressionAttributeValues contains invalid value: " + reason + " for key :v");
  EXPECT_EQ(ValuesMessage({{":v", bad}, {"bad", 1}}),
            "ExpressionAttributeValues contains invalid key: Syntax error; key: \"bad\"");
}

TEST(Placeholders, EveryOneMustBeUsed) {
  const NameMap names = {{"#z", "z"}, {"#a", "a"}, {"#m", "m"}};
  const ValueMap values = {{":y", 1}, {":x", 2}};
  Placeholders placeholders(&names, &values, Wording::kCurrent);
  EXPECT_EQ(MessageOf(placeholders.CheckUnused()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#z, #a, #m}");
  ASSERT_NE(placeholders.UseName("#a"), nullptr);
  EXPECT_EQ(*placeholders.UseName("#a"), "a");
  EXPECT_EQ(MessageOf(placeholders.CheckUnused()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#z, #m}");
  placeholders.UseName("#z");
  placeholders.UseName("#m");
  EXPECT_EQ(MessageOf(placeholders.CheckUnused()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:y, :x}");
  EXPECT_EQ(*placeholders.UseValue(":x"), AttributeValue(2));
  placeholders.UseValue(":y");
  EXPECT_TRUE(placeholders.CheckUnused());
}

TEST(Placeholders, UnknownOnesAreNull) {
  const NameMap names = {{"#a", "a"}};
  Placeholders placeholders(&names, nullptr, Wording::kCurrent);
  EXPECT_EQ(placeholders.UseName("#b"), nullptr);
  EXPECT_EQ(placeholders.UseValue(":a"), nullptr);
}

TEST(Placeholders, ParsingMarksThemUsed) {
  const NameMap names = {{"#a", "a"}};
  const ValueMap values = {{":v", 1}};
  Placeholders placeholders(&names, &values, Wording::kCurrent);
  ASSERT_TRUE(Update::Parse("SET #a = :v", placeholders));
  EXPECT_TRUE(placeholders.CheckUnused());
}

}  // namespace placeholders_test
}  // namespace stator
