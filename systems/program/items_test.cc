#include "systems/program/items.h"

#include <gtest/gtest.h>

namespace stator::systems {
namespace items_test {

TEST(JsonLine, WritesEveryType) {
  EXPECT_EQ(JsonOfItem(Item{{"b", AttributeValue::Binary("stator")}}.view()),
            R"({"b":"c3RhdG9y"})");
  EXPECT_EQ(JsonOfItem(Item{{"ns", AttributeValue::NumberSet({"10", "-2.5", "3"})}}.view()),
            R"({"ns":[-2.5,3,10]})");
  EXPECT_EQ(JsonOfItem(Item{{"bs", AttributeValue::BinarySet({"a", "bc"})}}.view()),
            R"({"bs":["YQ==","YmM="]})");
  EXPECT_EQ(JsonOfItem(Item{{"ss", AttributeValue::StringSet({"b", "a"})}}.view()),
            R"({"ss":["a","b"]})");
  EXPECT_EQ(
      JsonOfItem(Item{
          {"n", AttributeValue::Number("1.5")}, {"s", "\"\n"}, {"t", AttributeValue::Bool(true)}}
                     .view()),
      R"({"n":1.5,"s":"\"\u000a","t":true})");
  EXPECT_EQ(JsonOfItem(Item{{"z", AttributeValue::Null()}}.view()), R"({"z":null})");
}

TEST(JsonLine, ReadsWhatItWrites) {
  const std::string json = R"({"l":[1,"a",[false,null]],"m":{"x":{"y":-0.25}},"s":""})";
  const auto item = ItemOfJson(json);
  ASSERT_TRUE(item) << item.error();
  EXPECT_EQ(JsonOfItem(item->view()), json);
}

TEST(JsonLine, RefusesWhatIsNotAnObject) {
  EXPECT_FALSE(ItemOfJson("[1]"));
  EXPECT_FALSE(ItemOfJson("{\"a\":"));
  EXPECT_FALSE(ItemOfJson(std::string(40, '[') + std::string(40, ']')));
  std::string deep = "{\"a\":" + std::string(40, '[') + std::string(40, ']') + "}";
  EXPECT_FALSE(ItemOfJson(deep));
}

}  // namespace items_test
}  // namespace stator::systems
