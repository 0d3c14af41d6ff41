#include "expr/key_condition.h"

#include <gtest/gtest.h>

#include "expr/testing/expressions.h"

namespace stator {
namespace key_condition_test {

TestPlaceholders MapsOf(Wording wording) {
  return {.names = {{"#p", "pk"}},
          .values = {{":s", "s"},
                     {":t", "t"},
                     {":n", 1},
                     {":l", AttributeValue::List({})},
                     {":ss", AttributeValue::StringSet({"a"})}},
          .wording = wording};
}
const TestPlaceholders kMaps = MapsOf(Wording::kCurrent);
const TestPlaceholders kClassicMaps = MapsOf(Wording::kClassic);

void ExpectError(std::string_view text, const std::string& reason) {
  EXPECT_EQ(MessageOf(ParseKeys(text, kMaps)), "Invalid KeyConditionExpression: " + reason) << text;
}

// The messages about structure have no prefix in the classic wording.
void ExpectStructuralError(std::string_view text, const std::string& reason) {
  ExpectError(text, reason);
  EXPECT_EQ(MessageOf(ParseKeys(text, kClassicMaps)), reason) << text;
}

TEST(KeyCondition, ReadsClausesInWrittenOrder) {
  const auto clauses = ParseKeys("sk BETWEEN :s AND :t AND #p = :n", kMaps);
  ASSERT_TRUE(clauses) << MessageOf(clauses);
  ASSERT_EQ(clauses->size(), 2U);
  EXPECT_EQ((*clauses)[0].attribute, "sk");
  EXPECT_EQ((*clauses)[0].op, KeyOperator::kBetween);
  EXPECT_EQ((*clauses)[0].value, AttributeValue("s"));
  EXPECT_EQ((*clauses)[0].upper, AttributeValue("t"));
  EXPECT_EQ((*clauses)[1].attribute, "pk");
  EXPECT_EQ((*clauses)[1].op, KeyOperator::kEq);
  EXPECT_EQ((*clauses)[1].value, AttributeValue(1));
}

TEST(KeyCondition, ReadsEveryOperator) {
  const std::vector<std::pair<std::string, KeyOperator>> cases = {
      {"k = :s", KeyOperator::kEq},  {"k < :s", KeyOperator::kLt},
      {"k <= :s", KeyOperator::kLe}, {"k > :s", KeyOperator::kGt},
      {"k >= :s", KeyOperator::kGe}, {"begins_with(k, :s)", KeyOperator::kBeginsWith},
      {":s = k", KeyOperator::kEq},  {":s < k", KeyOperator::kGt},
      {":s <= k", KeyOperator::kGe}, {":s > k", KeyOperator::kLt},
      {":s >= k", KeyOperator::kLe}, {"(k) = (:s)", KeyOperator::kEq},
  };
  for (const auto& [text, op] : cases) {
    const auto clauses = ParseKeys(text, kMaps);
    ASSERT_TRUE(clauses) << text;
    ASSERT_EQ(clauses->size(), 1U);
    EXPECT_EQ(clauses->front().op, op) << text;
    EXPECT_EQ(clauses->front().attribute, "k") << text;
    EXPECT_EQ(clauses->front().value, AttributeValue("s")) << text;
  }
}

TEST(KeyCondition, GroupsAreFlattened) {
  const auto clauses = ParseKeys("(a = :s) AND (b = :s AND (c = :s))", kMaps);
  ASSERT_TRUE(clauses);
  EXPECT_EQ(clauses->size(), 3U);
}

TEST(KeyCondition, RefusesOperatorsThatNoKeyAnswers) {
  const std::string reason = "Invalid operator used in KeyConditionExpression: ";
  ExpectStructuralError("a = :s OR b = :s", reason + "OR");
  ExpectStructuralError("NOT a = :s", reason + "NOT");
  ExpectStructuralError("a IN (:s)", reason + "IN");
  ExpectStructuralError("a <> :s", reason + "<>");
  ExpectStructuralError("attribute_exists(a)", reason + "attribute_exists");
  ExpectStructuralError("attribute_not_exists(a)", reason + "attribute_not_exists");
  ExpectStructuralError("a = :s AND contains(b, :s)", reason + "contains");
}

TEST(KeyCondition, RefusesOtherStructures) {
  ExpectStructuralError("size(a) = :n", "KeyConditionExpressions cannot contain nested operations");
  ExpectStructuralError(
      ":s BETWEEN a AND :t",
      "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key "
      "attribute as its first operand");
  ExpectStructuralError(
      "begins_with(:s, a)",
      "Invalid condition in KeyConditionExpression: begins_with operator must have the key "
      "attribute as its first operand");
  ExpectStructuralError("a = b",
                        "Invalid condition in KeyConditionExpression: Multiple attribute names "
                        "used in one condition");
  ExpectStructuralError("a.b = :s",
                        "KeyConditionExpressions cannot have conditions on nested attributes");
  ExpectStructuralError("a[0] = :s",
                        "KeyConditionExpressions cannot have conditions on nested attributes");
  ExpectStructuralError(":s = :t",
                        "Invalid condition in KeyConditionExpression: No key attribute specified");
  ExpectStructuralError("a = :s AND a > :s",
                        "KeyConditionExpressions must only contain one condition per key");
}

TEST(KeyCondition, ChecksOperandsClauseByClauseBeforeStructure) {
  const std::string type =
      "Incorrect operand type for operator or function; operator or function: ";
  ExpectError("a <> :s AND b < :l", type + "<, operand type: L");
  ExpectError("a = :s AND begins_with(b, :n) AND c = :x", type + "begins_with, operand type: N");
  ExpectError(
      "a = :x AND begins_with(b, :n)",
      "An expression attribute value used in expression is not defined; attribute value: :x");
  EXPECT_EQ(MessageOf(ParseKeys("a < :ss", kClassicMaps)),
            "Invalid KeyConditionExpression: " + type + "<, operand type: SS");
}

TEST(KeyCondition, ChecksTheTextLikeAnyCondition) {
  ExpectError("", "The expression can not be empty;");
  ExpectError(std::string(4097, ' '), "Expression size has exceeded the maximum allowed size;");
  ExpectError("a = ", R"(Syntax error; token: "<EOF>", near: "=")");
  ExpectError("((a = :s))", "The expression has redundant parentheses;");
  ExpectError("name = :s", "Attribute name is a reserved keyword; reserved keyword: name");
}

TEST(LegacyKeyConditions, BecomeClauses) {
  const LegacyConditionMap conditions = {
      {"pk", {.comparison_operator = ComparisonOperator::kEq, .attribute_value_list = {"p"}}},
      {"sk", {.comparison_operator = ComparisonOperator::kBetween, .attribute_value_list = {1, 2}}},
      {"x", {.comparison_operator = ComparisonOperator::kNull}}};
  const auto clauses = KeyClausesFromLegacy(conditions, Wording::kCurrent);
  ASSERT_TRUE(clauses);
  ASSERT_EQ(clauses->size(), 3U);
  EXPECT_EQ((*clauses)[0].op, KeyOperator::kEq);
  EXPECT_EQ((*clauses)[1].op, KeyOperator::kBetween);
  EXPECT_EQ((*clauses)[1].upper, AttributeValue(2));
  EXPECT_EQ((*clauses)[2].op, KeyOperator::kNotIndexable);
}

TEST(LegacyKeyConditions, CheckTheirArguments) {
  const auto message = [](ComparisonOperator op, std::vector<AttributeValue> values) {
    return MessageOf(KeyClausesFromLegacy(
        {{"k", {.comparison_operator = op, .attribute_value_list = std::move(values)}}},
        Wording::kCurrent));
  };
  EXPECT_EQ(message(ComparisonOperator::kEq, {}),
            "One or more parameter values were invalid: Invalid number of argument(s) for the EQ "
            "ComparisonOperator");
  EXPECT_EQ(
      message(ComparisonOperator::kLt, {true}),
      "One or more parameter values were invalid: ComparisonOperator LT is not valid for BOOL "
      "AttributeValue type");
}

}  // namespace key_condition_test
}  // namespace stator
