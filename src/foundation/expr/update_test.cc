#include "expr/update.h"

#include <gtest/gtest.h>

#include "expr/testing/expressions.h"
#include "value/item_codec.h"

namespace stator {
namespace update_test {

AttributeValue List(const std::vector<AttributeValue>& elements) {
  return AttributeValue::List(elements);
}
AttributeValue Set(const std::vector<std::string>& members) {
  return AttributeValue::StringSet(members);
}

const TestPlaceholders& Maps() {
  static const TestPlaceholders maps{.values = {{":s", "new"},
                                                {":one", 1},
                                                {":five", 5},
                                                {":l", List({"p", "q"})},
                                                {":empty", List({})},
                                                {":m", AttributeValue::Map({{"k", 1}})},
                                                {":xy", Set({"x", "y"})},
                                                {":x", Set({"x"})},
                                                {":ns", AttributeValue::NumberSet({"1", "2"})},
                                                {":max", AttributeValue::Number("9E125")},
                                                {":tiny", AttributeValue::Number("1E-130")}}};
  return maps;
}

Result<Item> Apply(std::string_view text, const Item& before) {
  const Result<Update> update = ParseUpdate(text, Maps());
  EXPECT_TRUE(update) << text << ": " << MessageOf(update);
  if (!update) return std::unexpected(update.error());
  return update->Apply(before.view());
}

void ExpectResult(std::string_view text, const Item& before, const Item& wanted) {
  const Result<Item> after = Apply(text, before);
  ASSERT_TRUE(after) << text << ": " << MessageOf(after);
  EXPECT_EQ(*after, wanted) << text;
  EXPECT_TRUE(IsWellFormedItem(after->encoded())) << text;
}

void ExpectError(std::string_view text, const Item& before, std::string_view message) {
  EXPECT_EQ(MessageOf(Apply(text, before)), message) << text;
}

constexpr std::string_view kMissing =
    "The provided expression refers to an attribute that does not exist in the item";
constexpr std::string_view kWrongType =
    "An operand in the update expression has an incorrect data type";
constexpr std::string_view kBadPath =
    "The document path provided in the update expression is invalid for update";

TEST(UpdateSet, CreatesAndReplacesTopLevelAttributes) {
  ExpectResult("SET b = :s", {{"pk", "1"}}, {{"pk", "1"}, {"b", "new"}});
  ExpectResult("SET b = :s, a = :one, z = :l", {{"b", "old"}, {"pk", "1"}},
               {{"a", 1}, {"b", "new"}, {"pk", "1"}, {"z", List({"p", "q"})}});
}

TEST(UpdateSet, SeesTheOldItemOnEveryRightHandSide) {
  ExpectResult("SET a = b, b = a", {{"a", 1}, {"b", 2}}, {{"a", 2}, {"b", 1}});
  ExpectResult("SET a = b REMOVE b", {{"a", 1}, {"b", 2}}, {{"a", 2}});
  ExpectResult("SET a = n ADD n :five", {{"n", 2}}, {{"a", 2}, {"n", 7}});
  ExpectResult("SET l[0] = l[1], l[1] = l[0]", {{"l", List({1, 2})}}, {{"l", List({2, 1})}});
}

TEST(UpdateSet, CopiesWholeValues) {
  ExpectResult("SET a = m.k[1]", {{"m", AttributeValue::Map({{"k", List({1, Set({"s"})})}})}},
               {{"a", Set({"s"})}, {"m", AttributeValue::Map({{"k", List({1, Set({"s"})})}})}});
}

TEST(UpdateSet, MissingOperandIsAnError) {
  ExpectError("SET a = nowhere", {}, kMissing);
  ExpectError("SET a = m.k", {{"m", "text"}}, kMissing);
  ExpectError("SET a = l[2] + :one", {{"l", List({1})}}, kMissing);
}

TEST(UpdateSet, NestedLeafIsCreatedButNeverItsParents) {
  const Item before{{"m", AttributeValue::Map({{"b", 1}, {"d", 2}})}};
  ExpectResult("SET m.c = :s", before,
               {{"m", AttributeValue::Map({{"b", 1}, {"c", "new"}, {"d", 2}})}});
  ExpectResult("SET m.a = :s, m.e = :one", before,
               {{"m", AttributeValue::Map({{"a", "new"}, {"b", 1}, {"d", 2}, {"e", 1}})}});
  ExpectError("SET nowhere.a = :s", before, kBadPath);
  ExpectError("SET m.x.y = :s", before, kBadPath);
  ExpectError("SET m.b.y = :s", before, kBadPath);
  ExpectError("SET m[0] = :s", before, kBadPath);
  ExpectError("SET nowhere[0] = :s", before, kBadPath);
  ExpectError("SET l.a = :s", {{"l", List({1})}}, kBadPath);
  ExpectError("SET l[3].a = :s", {{"l", List({1})}}, kBadPath);
}

TEST(UpdateSet, ListIndexBehindTheEndAppendsInIndexOrder) {
  const Item before{{"l", List({1, 2})}};
  ExpectResult("SET l[7] = :s", before, {{"l", List({1, 2, "new"})}});
  ExpectResult("SET l[9] = :s, l[5] = :one, l[0] = :five", before, {{"l", List({5, 2, 1, "new"})}});
  ExpectResult("SET l[0] = :s", {{"l", List({})}}, {{"l", List({"new"})}});
}

TEST(UpdateSet, ComputesExactly) {
  ExpectResult("SET n = n + :five", {{"n", AttributeValue::Number("0.1")}},
               {{"n", AttributeValue::Number("5.1")}});
  ExpectResult("SET n = :one - n", {{"n", 5}}, {{"n", -4}});
  ExpectResult("SET n = n + :one",
               {{"n", AttributeValue::Number("99999999999999999999999999999999999999")}},
               {{"n", AttributeValue::Number("1E38")}});
}

TEST(UpdateSet, RefusesNumbersOutOfRange) {
  ExpectError(
      "SET n = n + :max", {{"n", AttributeValue::Number("9E125")}},
      "Number overflow. Attempting to store a number with magnitude larger than supported range");
  // One that needs more than 38 digits is one of them.
  ExpectError(
      "SET n = n + :tiny", {{"n", 1}},
      "Number overflow. Attempting to store a number with magnitude larger than supported range");
  ExpectError(
      "ADD n :max", {{"n", AttributeValue::Number("9E125")}},
      "Number overflow. Attempting to store a number with magnitude larger than supported range");
}

TEST(UpdateSet, ArithmeticWantsNumbers) {
  ExpectError("SET a = s + :one", {{"s", "text"}}, kWrongType);
  ExpectError("SET a = :one - l", {{"l", List({1})}}, kWrongType);
}

TEST(UpdateIfNotExists, LooksAtTheOldItem) {
  ExpectResult("SET a = if_not_exists(a, :s)", {{"a", 1}}, {{"a", 1}});
  ExpectResult("SET a = if_not_exists(a, :s)", {{"b", 1}}, {{"a", "new"}, {"b", 1}});
  ExpectResult("SET a = if_not_exists(x, if_not_exists(b, :s))", {{"b", 1}}, {{"a", 1}, {"b", 1}});
  ExpectResult("SET n = if_not_exists(n, :five) + :one", {}, {{"n", 6}});
  ExpectResult("SET a = if_not_exists(b, :s) REMOVE b", {{"b", 1}}, {{"a", 1}});
  ExpectResult("SET a = if_not_exists(b, nowhere)", {{"b", 1}}, {{"a", 1}, {"b", 1}});
  ExpectError("SET a = if_not_exists(x, nowhere)", {{"b", 1}}, kMissing);
}

TEST(UpdateListAppend, JoinsInWrittenOrder) {
  ExpectResult("SET l = list_append(l, :l)", {{"l", List({1})}}, {{"l", List({1, "p", "q"})}});
  ExpectResult("SET l = list_append(:l, l)", {{"l", List({1})}}, {{"l", List({"p", "q", 1})}});
  ExpectResult("SET l = list_append(if_not_exists(l, :empty), :l)", {}, {{"l", List({"p", "q"})}});
  ExpectError("SET l = list_append(s, :l)", {{"s", "text"}}, kWrongType);
  ExpectError("SET l = list_append(nowhere, :l)", {}, kMissing);
}

TEST(UpdateRemove, DropsAttributesEntriesAndElements) {
  ExpectResult("REMOVE a, nowhere", {{"a", 1}, {"b", 2}}, {{"b", 2}});
  ExpectResult("REMOVE m.a, m.x", {{"m", AttributeValue::Map({{"a", 1}, {"b", 2}})}},
               {{"m", AttributeValue::Map({{"b", 2}})}});
  ExpectResult("REMOVE m.a", {{"m", AttributeValue::Map({{"a", 1}})}},
               {{"m", AttributeValue::Map({})}});
}

TEST(UpdateRemove, UsesOriginalIndexes) {
  const Item before{{"l", List({0, 1, 2, 3, 4})}};
  ExpectResult("REMOVE l[1]", before, {{"l", List({0, 2, 3, 4})}});
  ExpectResult("REMOVE l[0], l[3], l[1]", before, {{"l", List({2, 4})}});
  ExpectResult("REMOVE l[9]", before, before);
  ExpectResult("SET l[2] = :s, l[8] = :five REMOVE l[0], l[1]", before,
               {{"l", List({"new", 3, 4, 5})}});
}

TEST(UpdateRemove, MissingParentIsAnError) {
  ExpectError("REMOVE nowhere.a", {{"b", 1}}, kBadPath);
  ExpectError("REMOVE m.x.y", {{"m", AttributeValue::Map({{"a", 1}})}}, kBadPath);
  ExpectError("REMOVE s[0]", {{"s", "text"}}, kBadPath);
}

TEST(UpdateAdd, StartsFromNothing) {
  ExpectResult("ADD n :five, t :xy", {}, {{"n", 5}, {"t", Set({"x", "y"})}});
}

TEST(UpdateAdd, SumsNumbersAndUnitesSets) {
  ExpectResult("ADD n :five", {{"n", -7}}, {{"n", -2}});
  ExpectResult("ADD t :xy", {{"t", Set({"a", "x", "z"})}}, {{"t", Set({"a", "x", "y", "z"})}});
  ExpectResult("ADD t :ns", {{"t", AttributeValue::NumberSet({"10", "-1", "1.0"})}},
               {{"t", AttributeValue::NumberSet({"-1", "1", "2", "10"})}});
}

TEST(UpdateAdd, WorksOnNestedPaths) {
  ExpectResult("ADD m.n :five, m.z :one, l[0] :one",
               {{"l", List({1})}, {"m", AttributeValue::Map({{"n", 1}})}},
               {{"l", List({2})}, {"m", AttributeValue::Map({{"n", 6}, {"z", 1}})}});
  ExpectResult("ADD l[5] :one", {{"l", List({7})}}, {{"l", List({7, 1})}});
  ExpectError("ADD nowhere.n :five", {}, kBadPath);
}

TEST(UpdateAdd, MismatchIsAnError) {
  ExpectError("ADD a :five", {{"a", "text"}}, kWrongType);
  ExpectError("ADD a :xy", {{"a", AttributeValue::NumberSet({"1"})}}, kWrongType);
  ExpectError("ADD a :xy", {{"a", 1}}, kWrongType);
}

TEST(UpdateDelete, TakesMembersAndRemovesWhatBecomesEmpty) {
  ExpectResult("DELETE t :x", {{"t", Set({"x", "y"})}}, {{"t", Set({"y"})}});
  ExpectResult("DELETE t :xy", {{"t", Set({"y"})}, {"z", 1}}, {{"z", 1}});
  ExpectResult("DELETE t :xy", {{"t", Set({"a"})}}, {{"t", Set({"a"})}});
  ExpectResult("DELETE t :xy", {{"z", 1}}, {{"z", 1}});
  ExpectResult("DELETE m.t :x, m.nowhere :x", {{"m", AttributeValue::Map({{"t", Set({"x"})}})}},
               {{"m", AttributeValue::Map({})}});
  ExpectError("DELETE t :x", {{"t", 1}}, kWrongType);
  ExpectError("DELETE t :x", {{"t", AttributeValue::NumberSet({"1"})}}, kWrongType);
  ExpectError("DELETE nowhere.t :x", {}, kBadPath);
}

// `levels` lists around a string.
AttributeValue Nested(int levels) {
  AttributeValue value("deep");
  for (int i = 0; i < levels; ++i) value = List({value});
  return value;
}

TEST(UpdateNesting, MayNotExceedTheLimit) {
  const Item before{{"deep", Nested(31)}, {"lesser", Nested(30)}, {"m", AttributeValue::Map({})}};
  EXPECT_TRUE(Apply("SET a = deep", before));
  EXPECT_TRUE(Apply("SET m.a = lesser", before));
  ExpectError("SET m.a = deep", before, "Nesting Levels have exceeded supported limits");
}

TEST(UpdateMemory, StaysBoundedWhenListsMultiply) {
  std::string text = "SET a=list_append(l,l)";
  for (int i = 0; i < 150; ++i) text += ",a" + std::to_string(i) + "=list_append(l,l)";
  std::vector<AttributeValue> elements(300, AttributeValue(std::string(1000, 'x')));
  ExpectError(text, {{"l", List(elements)}},
              "Item size to update has exceeded the maximum allowed size");
  std::string copies = "SET a=l";
  for (int i = 0; i < 300; ++i) copies += ",a" + std::to_string(i) + "=l";
  ExpectError(copies, {{"l", List(elements)}},
              "Item size to update has exceeded the maximum allowed size");
}

TEST(UpdateSelectTargets, KeepsNestingAndCompactsLists) {
  const Item item{
      {"pk", "1"},
      {"a", 1},
      {"l", List({0, 1, 2, 3})},
      {"m", AttributeValue::Map({{"x", 1}, {"y", AttributeValue::Map({{"z", 2}, {"w", 3}})}})}};
  const Result<Update> update =
      ParseUpdate("SET m.y.z = :s, l[3] = :s, l[1] = :s, nowhere = :s REMOVE a", Maps());
  ASSERT_TRUE(update);
  const Item wanted{{"a", 1},
                    {"l", List({1, 3})},
                    {"m", AttributeValue::Map({{"y", AttributeValue::Map({{"z", 2}})}})}};
  EXPECT_EQ(update->SelectTargets(item.view()), wanted);
  EXPECT_TRUE(update->SelectTargets(Item{{"pk", "1"}}.view()).empty());
}

const TestPlaceholders& SizedMaps() {
  static const TestPlaceholders maps{.values = {{":s", "12345"},
                                                {":n", 1},
                                                {":l", AttributeValue::List({})},
                                                {":ss", AttributeValue::StringSet({"aa", "bbb"})},
                                                {":ns", AttributeValue::NumberSet({"1", "1234"})}}};
  return maps;
}

std::size_t Bytes(std::string_view text, const Item& before = {}) {
  return ParseUpdate(text, SizedMaps())->StatementBytes(before.view());
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

}  // namespace update_test
}  // namespace stator
