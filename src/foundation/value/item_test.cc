#include "stator/item.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <limits>

#include "value/item_codec.h"
#include "value/testing/arbitrary.h"
#include "value/value_problem.h"

namespace stator {
namespace item_test {

using Kind = ValueProblem::Kind;

TEST(AttributeValue, ComesFromPlainValues) {
  EXPECT_EQ(AttributeValue("text").view().S(), "text");
  EXPECT_EQ(AttributeValue(42).view().N(), "42");
  EXPECT_EQ(AttributeValue(-7L).view().AsInt64(), -7);
  EXPECT_EQ(AttributeValue(std::numeric_limits<std::uint64_t>::max()).view().N(),
            "18446744073709551615");
  EXPECT_EQ(AttributeValue(std::numeric_limits<std::int64_t>::min()).view().N(),
            "-9223372036854775808");
  EXPECT_EQ(AttributeValue(true).type(), Type::kBool);
  EXPECT_TRUE(AttributeValue(true).view().Bool());
  EXPECT_FALSE(AttributeValue(false).view().Bool());
  EXPECT_EQ(AttributeValue().type(), Type::kNull);
  EXPECT_EQ(AttributeValue::Binary(std::string_view("\0\x01", 2)).view().B(),
            std::string_view("\0\x01", 2));
}

TEST(AttributeValue, CopiesOfALargeOneShareItsBytes) {
  const std::string text(5000, 'x');
  const std::vector<AttributeValue> values = {
      AttributeValue(text), AttributeValue::Binary(text), AttributeValue::StringSet({text, "y"}),
      AttributeValue::List({text, 1}), AttributeValue::Map({{"a", text}})};
  for (const AttributeValue& value : values) {
    const AttributeValue copy = value;
    EXPECT_EQ(copy, value);
    EXPECT_EQ(copy.view(), value.view());
    EXPECT_EQ(copy.view().encoded().data(), value.encoded().data());
    AttributeValue moved = copy;
    const AttributeValue taken = std::move(moved);
    EXPECT_EQ(taken.type(), value.type());
    EXPECT_EQ(Item({{"v", taken}}).Find("v"), value.view());
  }
}

TEST(AttributeValue, OnlyIntegersConvertToInt64) {
  EXPECT_EQ(AttributeValue("42").view().AsInt64(), std::nullopt);
  EXPECT_EQ(AttributeValue::Number("1.5").view().AsInt64(), std::nullopt);
}

TEST(AttributeValue, SetsAreSortedByValue) {
  const AttributeValue strings = AttributeValue::StringSet({"b", "", "a", "B"});
  EXPECT_EQ(strings.view().Set().Members(), (std::vector<std::string_view>{"", "B", "a", "b"}));
  const AttributeValue numbers = AttributeValue::NumberSet({"10", "9", "-1", "0.5"});
  std::vector<std::string> texts;
  for (const std::string_view member : numbers.view().Set().Members()) {
    texts.push_back(Number::Decode(member).ToString());
  }
  EXPECT_EQ(texts, (std::vector<std::string>{"-1", "0.5", "9", "10"}));
  EXPECT_TRUE(strings.view().Set().Contains("B"));
  EXPECT_FALSE(strings.view().Set().Contains("C"));
  EXPECT_FALSE(strings.view().Set().Contains("c"));
}

TEST(AttributeValue, ListsAndMapsAreRead) {
  const AttributeValue list = AttributeValue::List({"a", 1, AttributeValue::List({true})});
  EXPECT_EQ(list.view().List().size(), 3U);
  EXPECT_EQ(list.view().List().At(1)->N(), "1");
  EXPECT_EQ(list.view().List().At(2)->List().At(0)->Bool(), true);
  EXPECT_EQ(list.view().List().At(3), std::nullopt);
  const AttributeValue map = AttributeValue::Map({{"z", 1}, {"a", 2}, {"z", 3}});
  EXPECT_EQ(map.view().Map().size(), 2U);
  EXPECT_EQ(map.view().Map().Find("z")->N(), "3");
  EXPECT_EQ(ValueView::Prefix(map.encoded() + "behind"), map.view());
}

TEST(AttributeValue, RefusedValuesCarryTheirProblem) {
  EXPECT_EQ(AttributeValue(1).problem(), nullptr);
  EXPECT_EQ(AttributeValue::Number("abc").problem()->kind, Kind::kNotANumber);
  EXPECT_EQ(AttributeValue::Number("abc").problem()->members, std::vector<std::string>{"abc"});
  EXPECT_EQ(AttributeValue::Number("1e126").problem()->kind, Kind::kNumberOverflow);
  EXPECT_EQ(AttributeValue::Number("1e-131").problem()->kind, Kind::kNumberUnderflow);
  EXPECT_EQ(AttributeValue::Number(std::string(39, '1')).problem()->kind, Kind::kTooManyDigits);
  EXPECT_EQ(AttributeValue::StringSet({}).problem()->set_type, 'S');
  EXPECT_EQ(AttributeValue::NumberSet({}).problem()->set_type, 'N');
  EXPECT_EQ(AttributeValue::BinarySet({}).problem()->kind, Kind::kEmptySet);
  EXPECT_EQ(AttributeValue::NumberSet({"1", "1.0"}).problem()->kind, Kind::kDuplicateInSet);
  EXPECT_EQ(AttributeValue::NumberSet({"1", "1.0", "x"}).problem()->kind, Kind::kNotANumber);
  EXPECT_EQ(AttributeValue::BinarySet({"a", "a"}).problem()->members,
            (std::vector<std::string>{"YQ==", "YQ=="}));
  EXPECT_EQ(AttributeValue::String("\xff").problem()->kind, Kind::kNotUtf8);
  EXPECT_EQ(AttributeValue::StringSet({"\xff"}).problem()->kind, Kind::kNotUtf8);
}

TEST(AttributeValue, ContainersInheritTheFirstProblem) {
  const AttributeValue bad = AttributeValue::Number("abc"), worse = AttributeValue::StringSet({});
  EXPECT_EQ(AttributeValue::List({1, bad, worse}).problem()->kind, Kind::kNotANumber);
  EXPECT_EQ(AttributeValue::Map({{"b", worse}, {"a", bad}}).problem()->kind, Kind::kEmptySet);
  EXPECT_EQ(AttributeValue::Map({{"", 1}}).problem()->kind, Kind::kEmptyName);
  EXPECT_EQ((Item{{"a", 1}, {"b", bad}, {"c", worse}}).problem()->kind, Kind::kNotANumber);
  EXPECT_EQ((Item{{"a", 1}}).problem(), nullptr);
}

TEST(AttributeValue, AnOverriddenEntryHasNoProblem) {
  EXPECT_EQ((Item{{"a", AttributeValue::Number("x")}, {"a", 1}}).problem(), nullptr);
}

TEST(AttributeValue, MayBeWrappedThirtyOneTimes) {
  AttributeValue value = 1;
  for (int i = 0; i < kMaxNesting; ++i) {
    value = i % 2 == 0 ? AttributeValue::List({value}) : AttributeValue::Map({{"m", value}});
  }
  EXPECT_EQ(value.problem(), nullptr);
  EXPECT_EQ(NestingDepth(value.view()), kMaxNesting);
  EXPECT_TRUE(IsWellFormedValue(value.encoded()));
  EXPECT_EQ(AttributeValue::List({value}).problem()->kind, Kind::kTooDeep);
  EXPECT_EQ(AttributeValue::Map({{"m", value}}).problem()->kind, Kind::kTooDeep);
}

TEST(Item, FindsItsAttributes) {
  const Item item{{"pk", "user#1"}, {"age", 42}, {"zip", "1"}};
  EXPECT_EQ(item.size(), 3U);
  EXPECT_EQ(item.Find("age")->N(), "42");
  EXPECT_EQ(item.Find("pk")->S(), "user#1");
  EXPECT_EQ(item.Find(""), std::nullopt);
  EXPECT_EQ(item.Find("b"), std::nullopt);
  EXPECT_EQ(item.Find("zzz"), std::nullopt);
  EXPECT_TRUE(Item().empty());
  EXPECT_EQ(Item().Find("a"), std::nullopt);
}

TEST(Item, IteratesInNameOrder) {
  const Item item{{"b", 1}, {"a", 2}, {"c", 3}, {"a", 4}};
  std::vector<std::pair<std::string, std::string>> seen;
  for (const auto& [name, value] : item) seen.emplace_back(name, value.N());
  EXPECT_EQ(seen,
            (std::vector<std::pair<std::string, std::string>>{{"a", "4"}, {"b", "1"}, {"c", "3"}}));
}

TEST(Item, SetAndRemoveKeepItCanonical) {
  Item item;
  item.Set("m", 1);
  item.Set("z", 2);
  item.Set("a", 3);
  item.Set("m", 4);
  EXPECT_EQ(item, (Item{{"a", 3}, {"m", 4}, {"z", 2}}));
  item.Remove("m");
  item.Remove("missing");
  EXPECT_EQ(item, (Item{{"a", 3}, {"z", 2}}));
  item.Set("bad", AttributeValue::Number("x"));
  EXPECT_EQ(item.problem()->kind, Kind::kNotANumber);
  item.Set("", 1);
  EXPECT_TRUE(IsWellFormedItem(item.encoded()));
}

TEST(Item, SameContentInAnyOrderHasTheSameBytes) {
  EXPECT_TRUE(rc::check([] {
    auto attributes = testing::Distinct(testing::DrawAttributes());
    std::set<std::string> names;
    std::erase_if(attributes, [&](const auto& entry) { return !names.insert(entry.first).second; });
    auto reversed = attributes;
    std::ranges::reverse(reversed);
    Item one_by_one;
    for (const auto& [name, value] : attributes) one_by_one.Set(name, value);
    RC_ASSERT(Item(attributes).encoded() == Item(reversed).encoded());
    RC_ASSERT(Item(attributes).encoded() == one_by_one.encoded());
  }));
}

TEST(ItemList, GivesBackWhatWasAppended) {
  const Item first{{"a", 1}}, second, third{{"b", "x"}};
  ItemList list;
  for (const Item& item : {first, second, third}) list.Append(item.view());
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0], first.view());
  EXPECT_EQ(list[1], second.view());
  EXPECT_EQ(list[2], third.view());
}

}  // namespace item_test
}  // namespace stator
