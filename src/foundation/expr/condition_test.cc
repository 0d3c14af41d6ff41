// What conditions say of items.
#include "expr/condition.h"

#include <gtest/gtest.h>

#include "expr/testing/expressions.h"

namespace stator {
namespace condition_test {

const Item& Stored() {
  static const Item item{
      {"s", "abc"},
      {"blank", ""},
      {"emoji", "a😀é"},
      {"n", 10},
      {"neg", -3},
      {"b", AttributeValue::Binary(std::string("\x80\x01", 2))},
      {"yes", true},
      {"nil", AttributeValue::Null()},
      {"ss", AttributeValue::StringSet({"x", "y"})},
      {"ns", AttributeValue::NumberSet({"1", "2.50"})},
      {"bs", AttributeValue::BinarySet({"q"})},
      {"l", AttributeValue::List(
                {1, "two", AttributeValue::Map({{"k", AttributeValue::Number("1.0")}})})},
      {"m", AttributeValue::Map({{"k", "v"}, {"els", AttributeValue::List({"e0", "e1"})}})},
      {"x.y", "dotted"},
  };
  return item;
}

const TestPlaceholders& Maps() {
  static const TestPlaceholders maps{.names = {{"#dots", "x.y"}},
                                     .values = {{":abc", "abc"},
                                                {":ab", "ab"},
                                                {":abd", "abd"},
                                                {":x", "x"},
                                                {":e", ""},
                                                {":dotted", "dotted"},
                                                {":v", "v"},
                                                {":e1", "e1"},
                                                {":n1", 1},
                                                {":n2", 2},
                                                {":n3", 3},
                                                {":n4", 4},
                                                {":n9", 9},
                                                {":n10", AttributeValue::Number("1E1")},
                                                {":n11", 11},
                                                {":n25", AttributeValue::Number("2.5")},
                                                {":b7f", AttributeValue::Binary("\x7F")},
                                                {":b80", AttributeValue::Binary("\x80")},
                                                {":q", AttributeValue::Binary("q")},
                                                {":yes", true},
                                                {":no", false},
                                                {":nil", AttributeValue::Null()},
                                                {":ss", AttributeValue::StringSet({"y", "x"})},
                                                {":ns", AttributeValue::NumberSet({"2.5", "1"})},
                                                {":mk", AttributeValue::Map({{"k", 1}})},
                                                {":l12", AttributeValue::List({1, 2})},
                                                {":tS", "S"},
                                                {":tN", "N"},
                                                {":tNULL", "NULL"},
                                                {":tBOOL", "BOOL"},
                                                {":tL", "L"},
                                                {":tNS", "NS"}}};
  return maps;
}

void ExpectAll(bool wanted, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    const Result<Condition> condition = ParseCondition(text, Maps());
    ASSERT_TRUE(condition) << text << ": " << MessageOf(condition);
    EXPECT_EQ(condition->Evaluate(Stored().view()), wanted) << text;
  }
}
void ExpectTrue(const std::vector<std::string>& texts) { ExpectAll(true, texts); }
void ExpectFalse(const std::vector<std::string>& texts) { ExpectAll(false, texts); }

TEST(ConditionEquality, IsDefinedForEveryType) {
  ExpectTrue({"s = :abc", ":abc = s", "n = :n10", "yes = :yes", "nil = :nil", "ss = :ss",
              "ns = :ns", "l[2] = :mk", "m.k = :v", "m.els[1] = :e1", "blank = :e",
              "#dots = :dotted"});
  ExpectFalse({"s = :abd", "n = :n11", "yes = :no", "ss = :ns", "l = :l12"});
  ExpectTrue({"s <> :abd", "l <> :l12", "yes <> :no"});
  ExpectFalse({"s <> :abc", "n <> :n10", "l[2] <> :mk"});
}

TEST(ConditionEquality, IsFalseBetweenTypes) {
  ExpectFalse({"s = :n1", "n = :abc", "yes = :nil"});
  ExpectTrue({"s <> :n1", "n <> :abc"});
}

TEST(ConditionOrder, ComparesStringsNumbersAndUnsignedBytes) {
  ExpectTrue({"s < :abd", "s <= :abc", "s >= :abc", "s > :ab", "n > :n9", "n >= :n10", "neg < :n1",
              "n < :n11", "b > :b7f", "b > :b80"});
  ExpectFalse({"s > :abc", "n < :n9", "neg > :n1", "b < :b7f"});
}

TEST(ConditionOrder, IsFalseForTypesWithoutOrder) {
  ExpectFalse({"yes < :n1", "nil >= :abc", "l < :n1", "m > :abc", "ss <= :abc", "s < n", "s > n",
               "yes BETWEEN :n1 AND :n2", "l BETWEEN :n1 AND :n2", "yes < nil", "ss <= ns",
               "yes <= nil", "s < :n9", "s >= :n9"});
}

TEST(ConditionOrder, MirrorsWithTheValueOnTheLeft) {
  ExpectTrue({":n9 < n", ":n10 <= n", ":abd > s"});
}

TEST(ConditionBetween, IncludesBothBounds) {
  ExpectTrue({"n BETWEEN :n10 AND :n11", "n BETWEEN :n9 AND :n10", "s BETWEEN :ab AND :abd",
              ":n10 BETWEEN neg AND n"});
  ExpectFalse({"n BETWEEN :n11 AND :n11", "n BETWEEN :n1 AND :n9", "s BETWEEN :n1 AND :n2",
               "n BETWEEN :n1 AND nowhere", "n BETWEEN nowhere AND :n11"});
}

TEST(ConditionBetween, ItsAndIsNotAConjunction) {
  ExpectTrue({"n BETWEEN :n9 AND :n11 AND s = :abc", "s = :abd OR n BETWEEN :n9 AND :n11"});
  ExpectFalse({"n BETWEEN :n9 AND :n11 AND s = :abd"});
}

TEST(ConditionIn, HoldsForAnyEqualOperand) {
  ExpectTrue({"n IN (:n1, :n10)", "s IN (m.k, s2, :abc)", "l[2] IN (:mk)", "nil IN (:nil)"});
  ExpectFalse({"n IN (:n1, :n2)", "n IN (:abc)", "nowhere IN (:nil, :e)"});
}

TEST(ConditionMissingPath, FailsEverythingButInequalityAndAbsence) {
  ExpectFalse({"nowhere = :abc", "nowhere < :abc", "nowhere >= :abc",
               "nowhere BETWEEN :ab AND :abc", "nowhere IN (:abc)", "contains(nowhere, :abc)",
               "begins_with(nowhere, :e)", "attribute_type(nowhere, :tNULL)", "size(nowhere) = :n1",
               "size(nowhere) < :n1", "attribute_exists(nowhere)", "nowhere = nothing",
               "contains(s, nowhere)", "attribute_exists(s.deeper)", "attribute_exists(l[3])",
               "attribute_exists(m[0])", "attribute_exists(l.k)", "attribute_exists(m.els[2])"});
  ExpectTrue({"nowhere <> :abc", "attribute_not_exists(nowhere)", "size(nowhere) <> :n1",
              "nowhere <> nothing", "attribute_not_exists(l[3])", "NOT nowhere = :abc"});
}

TEST(ConditionExists, IsTrueForStoredNull) {
  ExpectTrue({"attribute_exists(nil)", "attribute_exists(l[0])", "attribute_exists(m.els[1])",
              "attribute_exists(#dots)"});
  ExpectFalse({"attribute_not_exists(nil)"});
}

TEST(ConditionType, NamesTheStoredType) {
  ExpectTrue({"attribute_type(s, :tS)", "attribute_type(n, :tN)", "attribute_type(nil, :tNULL)",
              "attribute_type(yes, :tBOOL)", "attribute_type(l, :tL)", "attribute_type(ns, :tNS)"});
  ExpectFalse({"attribute_type(s, :tN)", "attribute_type(ss, :tNS)"});
}

TEST(ConditionBeginsWith, ComparesBytesOfOneType) {
  ExpectTrue({"begins_with(s, :ab)", "begins_with(s, :abc)", "begins_with(s, :e)",
              "begins_with(b, :b80)"});
  ExpectFalse({"begins_with(s, :abd)", "begins_with(b, :ab)", "begins_with(s, :b80)",
               "begins_with(n, :ab)", "begins_with(l, :ab)"});
}

TEST(ConditionContains, FindsPartsMembersAndElements) {
  ExpectTrue({"contains(s, :ab)", "contains(s, :e)", "contains(b, :b80)", "contains(ss, :x)",
              "contains(ns, :n25)", "contains(bs, :q)", "contains(l, :n1)", "contains(l, :mk)",
              "contains(:ss, m.k) OR contains(:abc, s)"});
  ExpectFalse({"contains(s, :x)", "contains(ss, :ab)", "contains(ns, :n3)", "contains(ss, :n1)",
               "contains(l, :x)", "contains(m, :v)", "contains(n, :n1)", "contains(bs, :x)",
               "contains(s, :n1)", "contains(ss, :ss)", "contains(yes, :yes)",
               "contains(l, :l12)"});
}

TEST(ConditionSize, CountsUtf16UnitsBytesAndMembers) {
  ExpectTrue({"size(s) = :n3", "size(emoji) = :n4", "size(b) = :n2", "size(ss) = :n2",
              "size(ns) = :n2", "size(bs) = :n1", "size(l) = :n3", "size(m) = :n2",
              "size(:abd) = :n3", "size(s) IN (:n3)", "size(s) BETWEEN :n3 AND :n3",
              "size(ss) = size(m)", "size(blank) < :n1", "size(s) > size(ss)"});
}

TEST(ConditionSize, OfATypeWithoutSizeIsNothing) {
  ExpectFalse({"size(n) = :n1", "size(n) < :n10", "size(yes) > :n1", "size(nil) = size(nil)"});
  ExpectTrue({"size(n) <> :n1", "size(yes) <> :n1"});
}

TEST(ConditionLogic, NotBindsTighterThanAndThanOr) {
  ExpectTrue({"s = :abc OR s = :abd AND s = :abd", "NOT s = :abd AND s = :abc",
              "NOT (s = :abd AND s = :abc)", "NOT s = :abc OR s = :abc"});
  ExpectFalse({"(s = :abc OR s = :abd) AND s = :abd", "NOT (s = :abc OR s = :abd)",
               "NOT s = :abc AND s = :abc"});
}

TEST(ConditionItem, MissingItemIsAnEmptyItem) {
  EXPECT_TRUE(ParseCondition("attribute_not_exists(pk)")->Evaluate(ItemView()));
  EXPECT_FALSE(ParseCondition("attribute_exists(pk)")->Evaluate(ItemView()));
}

}  // namespace condition_test
}  // namespace stator
