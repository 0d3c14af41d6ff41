// Expected, QueryFilter, ScanFilter and AttributeUpdates.
#include <gtest/gtest.h>

#include "expr/testing/expressions.h"
#include "value/value_problem.h"

namespace stator {
namespace legacy_test {

using Op = ComparisonOperator;
const std::string kOpv = "One or more parameter values were invalid: ";

std::string ExpectedMessage(const ExpectedAttribute& expected) {
  return MessageOf(
      Condition::FromExpected({{"a", expected}}, ConditionalOperator::kAnd, Wording::kCurrent));
}

bool Holds(Op op, std::vector<AttributeValue> values, const Item& item) {
  const Result<Condition> condition = Condition::FromFilter(
      {{"a", {.comparison_operator = op, .attribute_value_list = std::move(values)}}},
      ConditionalOperator::kAnd, Wording::kCurrent);
  EXPECT_TRUE(condition) << MessageOf(condition);
  return condition && condition->Evaluate(item.view());
}

TEST(Expected, RefusesContradictoryEntries) {
  const std::vector<AttributeValue> list = {1};
  EXPECT_EQ(ExpectedMessage({.value = 1, .attribute_value_list = list}),
            kOpv + "Value and AttributeValueList cannot be used together for Attribute: a");
  EXPECT_EQ(ExpectedMessage({.value = 1, .exists = true, .comparison_operator = Op::kEq}),
            kOpv + "Exists and ComparisonOperator cannot be used together for Attribute: a");
  EXPECT_EQ(
      ExpectedMessage({.comparison_operator = Op::kEq}),
      kOpv +
          "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a");
  EXPECT_EQ(
      ExpectedMessage({.attribute_value_list = list}),
      kOpv + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a");
  EXPECT_EQ(ExpectedMessage({}),
            kOpv + "Value must be provided when Exists is null for Attribute: a");
  EXPECT_EQ(ExpectedMessage({.exists = true}),
            kOpv + "Value must be provided when Exists is true for Attribute: a");
  EXPECT_EQ(ExpectedMessage({.value = 1, .exists = false}),
            kOpv + "Value cannot be used when Exists is false for Attribute: a");
}

TEST(Expected, ChecksArguments) {
  const auto message = [](Op op, std::vector<AttributeValue> values) {
    return ExpectedMessage({.comparison_operator = op, .attribute_value_list = std::move(values)});
  };
  EXPECT_EQ(message(Op::kNull, {1}),
            kOpv + "Invalid number of argument(s) for the NULL ComparisonOperator");
  EXPECT_EQ(message(Op::kIn, {}),
            kOpv + "Invalid number of argument(s) for the IN ComparisonOperator");
  EXPECT_EQ(message(Op::kBetween, {1}),
            kOpv + "Invalid number of argument(s) for the BETWEEN ComparisonOperator");
  EXPECT_EQ(message(Op::kNotContains, {1, 2}),
            kOpv + "Invalid number of argument(s) for the NOT_CONTAINS ComparisonOperator");
  EXPECT_EQ(message(Op::kIn, {1, "a"}),
            kOpv + "AttributeValues inside AttributeValueList must be of same type");
  EXPECT_EQ(message(Op::kBeginsWith, {1}),
            kOpv + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type");
  EXPECT_EQ(message(Op::kContains, {AttributeValue::StringSet({"a"})}),
            kOpv + "ComparisonOperator CONTAINS is not valid for SS AttributeValue type");
  EXPECT_EQ(
      message(Op::kBetween, {2, 1}),
      "The BETWEEN condition was provided a range where the lower bound is greater than the upper "
      "bound");
  EXPECT_EQ(message(Op::kEq, {AttributeValue::List({})}), "(accepted)");
  EXPECT_EQ(message(Op::kContains, {true}), "(accepted)");
  EXPECT_EQ(message(Op::kNotContains, {AttributeValue::Null()}), "(accepted)");
  EXPECT_EQ(message(Op::kLt, {true}),
            kOpv + "ComparisonOperator LT is not valid for BOOL AttributeValue type");
}

TEST(Expected, ReportsUnacceptableValues) {
  EXPECT_EQ(
      ExpectedMessage(
          {.value = AttributeValue::WithProblem({.kind = ValueProblem::Kind::kNoType})}),
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
}

TEST(Expected, ComparesAndAsksForExistence) {
  const auto holds = [](const ExpectedAttribute& expected, const Item& item) {
    return Condition::FromExpected({{"a", expected}}, ConditionalOperator::kAnd, Wording::kCurrent)
        ->Evaluate(item.view());
  };
  EXPECT_TRUE(holds({.value = 1}, {{"a", 1}}));
  EXPECT_FALSE(holds({.value = 1}, {{"a", 2}}));
  EXPECT_FALSE(holds({.value = 1, .exists = true}, {}));
  EXPECT_TRUE(holds({.exists = false}, {}));
  EXPECT_FALSE(holds({.exists = false}, {{"a", 2}}));
  EXPECT_TRUE(holds({.value = 1, .comparison_operator = Op::kGt}, {{"a", 2}}));
}

TEST(Expected, JoinsItsEntries) {
  const ExpectedMap expected = {{"a", {.value = 1}}, {"b", {.value = 2}}};
  const Item item{{"a", 1}, {"b", 3}};
  EXPECT_FALSE(Condition::FromExpected(expected, ConditionalOperator::kAnd, Wording::kCurrent)
                   ->Evaluate(item.view()));
  EXPECT_TRUE(Condition::FromExpected(expected, ConditionalOperator::kOr, Wording::kCurrent)
                  ->Evaluate(item.view()));
}

TEST(LegacyFilter, NotContainsNeedsTheAttribute) {
  EXPECT_FALSE(Holds(Op::kNotContains, {"ell"}, Item()));
  EXPECT_TRUE(Holds(Op::kNotContains, {"ell"}, Item{{"a", 10}}));
}

TEST(LegacyFilter, MeansWhatExpressionsMean) {
  const Item ten{{"a", 10}};
  const Item text{{"a", "hello"}};
  const Item none;
  EXPECT_TRUE(Holds(Op::kEq, {10}, ten));
  EXPECT_TRUE(Holds(Op::kNe, {11}, ten));
  EXPECT_TRUE(Holds(Op::kNe, {11}, none));
  EXPECT_FALSE(Holds(Op::kNe, {10}, ten));
  EXPECT_TRUE(Holds(Op::kLe, {10}, ten));
  EXPECT_FALSE(Holds(Op::kLt, {10}, ten));
  EXPECT_TRUE(Holds(Op::kGe, {10}, ten));
  EXPECT_FALSE(Holds(Op::kGt, {10}, ten));
  EXPECT_TRUE(Holds(Op::kIn, {9, 10}, ten));
  EXPECT_TRUE(Holds(Op::kBetween, {9, 10}, ten));
  EXPECT_TRUE(Holds(Op::kNull, {}, none));
  EXPECT_TRUE(Holds(Op::kNotNull, {}, ten));
  EXPECT_TRUE(Holds(Op::kContains, {"ell"}, text));
  EXPECT_FALSE(Holds(Op::kNotContains, {"ell"}, text));
  EXPECT_TRUE(Holds(Op::kNotContains, {"elf"}, text));
  EXPECT_TRUE(Holds(Op::kBeginsWith, {"he"}, text));
  EXPECT_FALSE(Holds(Op::kLt, {"z"}, ten));
}

TEST(LegacyFilter, TakesNamesLiterally) {
  const Result<Condition> condition =
      Condition::FromFilter({{"x.y[0]", {.comparison_operator = Op::kNotNull}}},
                            ConditionalOperator::kAnd, Wording::kCurrent);
  ASSERT_TRUE(condition);
  EXPECT_TRUE(condition->Evaluate(Item{{"x.y[0]", 1}}.view()));
}

TEST(ConditionalOperatorCheck, WantsTwoConditions) {
  EXPECT_TRUE(CheckConditionalOperator(false, 0));
  EXPECT_TRUE(CheckConditionalOperator(true, 2));
  EXPECT_EQ(MessageOf(CheckConditionalOperator(true, 0)),
            "ConditionalOperator cannot be used without Filter or Expected");
  EXPECT_EQ(
      MessageOf(CheckConditionalOperator(true, 1)),
      "ConditionalOperator can only be used when Filter or Expected has two or more elements");
}

std::string UpdatesMessage(const AttributeUpdate& update) {
  return MessageOf(Update::FromAttributeUpdates({{"a", update}}, Wording::kCurrent));
}

TEST(AttributeUpdates, CheckActionsAndTypes) {
  EXPECT_EQ(UpdatesMessage({}),
            kOpv + "Only DELETE action is allowed when no attribute value is specified");
  EXPECT_EQ(UpdatesMessage({.action = AttributeAction::kAdd}),
            kOpv + "Only DELETE action is allowed when no attribute value is specified");
  EXPECT_EQ(UpdatesMessage({.value = 1, .action = AttributeAction::kDelete}),
            kOpv + "DELETE action with value is not supported for the type N");
  for (const auto& [value, type] :
       std::vector<std::pair<AttributeValue, std::string>>{{"s", "S"},
                                                           {AttributeValue::Binary("b"), "B"},
                                                           {true, "BOOL"},
                                                           {AttributeValue::Null(), "NULL"},
                                                           {AttributeValue::Map({}), "M"}}) {
    EXPECT_EQ(UpdatesMessage({.value = value, .action = AttributeAction::kAdd}),
              kOpv + "ADD action is not supported for the type " + type);
  }
}

Result<Item> ApplyUpdates(const AttributeUpdateMap& updates, const Item& before) {
  const Result<Update> update = Update::FromAttributeUpdates(updates, Wording::kCurrent);
  if (!update) return std::unexpected(update.error());
  return update->Apply(before.view());
}

TEST(AttributeUpdates, PutAddDelete) {
  const Result<Item> after = ApplyUpdates(
      {{"put", {.value = "new"}},
       {"gone", {.action = AttributeAction::kDelete}},
       {"count", {.value = 2, .action = AttributeAction::kAdd}},
       {"tags", {.value = AttributeValue::StringSet({"x"}), .action = AttributeAction::kDelete}},
       {"list", {.value = AttributeValue::List({"b"}), .action = AttributeAction::kAdd}},
       {"fresh", {.value = AttributeValue::List({"c"}), .action = AttributeAction::kAdd}}},
      {{"gone", 1},
       {"count", 40},
       {"tags", AttributeValue::StringSet({"x", "y"})},
       {"list", AttributeValue::List({"a"})},
       {"put", "old"}});
  ASSERT_TRUE(after) << MessageOf(after);
  EXPECT_EQ(*after, (Item{{"put", "new"},
                          {"count", 42},
                          {"tags", AttributeValue::StringSet({"y"})},
                          {"list", AttributeValue::List({"a", "b"})},
                          {"fresh", AttributeValue::List({"c"})}}));
}

TEST(AttributeUpdates, MismatchHasItsOwnMessage) {
  const std::string message = "Type mismatch for attribute to update";
  EXPECT_EQ(
      MessageOf(ApplyUpdates({{"a", {.value = 1, .action = AttributeAction::kAdd}}}, {{"a", "s"}})),
      message);
  EXPECT_EQ(
      MessageOf(ApplyUpdates(
          {{"a", {.value = AttributeValue::StringSet({"x"}), .action = AttributeAction::kDelete}}},
          {{"a", 1}})),
      message);
}

}  // namespace legacy_test
}  // namespace stator
