#include "api/items/key_binding.h"

#include <gtest/gtest.h>

namespace stator {
namespace key_binding_test {

KeySchema SimpleSchema() {
  return {.hash = {{"pk", ScalarType::kS}}, .range = {{"sk", ScalarType::kS}}};
}

// Two hash and three range attributes.
KeySchema WideSchema() {
  return {.hash = {{"a", ScalarType::kS}, {"b", ScalarType::kN}},
          .range = {{"c", ScalarType::kS}, {"d", ScalarType::kN}, {"e", ScalarType::kS}}};
}

std::string MessageOf(const KeySchema& schema, std::vector<KeyClause> clauses,
                      Wording wording = Wording::kCurrent) {
  const Result<BoundKey> bound = BindKey(schema, clauses, nullptr, wording);
  return bound ? "" : bound.error().message();
}

KeyClause Equal(std::string name, AttributeValue value) {
  return {.attribute = std::move(name), .value = std::move(value)};
}

TEST(BindKey, WantsEveryHashAttributeByEquality) {
  const KeySchema schema = SimpleSchema();
  EXPECT_EQ(MessageOf(schema, {Equal("sk", "x")}), "Query condition missed key schema element: pk");
  EXPECT_EQ(MessageOf(schema, {{.attribute = "pk", .op = KeyOperator::kGt, .value = "x"}}),
            "Query key condition not supported");
  EXPECT_EQ(MessageOf(schema, {Equal("pk", "x"), Equal("other", "y")}),
            "Query condition missed key schema element: sk");
  EXPECT_EQ(MessageOf(schema, {Equal("pk", 5)}),
            "One or more parameter values were invalid: Condition parameter type does not match "
            "schema type");
  EXPECT_EQ(MessageOf(schema, {Equal("pk", "x"), Equal("sk", "y")}), "");
}

TEST(BindKey, CountsClausesInBothWordings) {
  const KeySchema schema = SimpleSchema();
  const std::vector<KeyClause> three = {Equal("pk", "x"), Equal("sk", "y"), Equal("z", "z")};
  EXPECT_EQ(
      MessageOf(schema, three),
      "The number of query conditions (3) exceeds the number of key attributes defined in the "
      "schema (2)");
  EXPECT_EQ(MessageOf(schema, three, Wording::kClassic), "Conditions can be of length 1 or 2 only");
}

TEST(BindKey, TakesAGapFreeRunOfRangeAttributes) {
  const KeySchema schema = WideSchema();
  EXPECT_EQ(MessageOf(schema, {Equal("a", "x"), Equal("b", 1)}), "");
  EXPECT_EQ(MessageOf(schema, {Equal("a", "x"), Equal("b", 1), Equal("c", "y"), Equal("d", 2)}),
            "");
  EXPECT_EQ(MessageOf(schema, {Equal("a", "x"),
                               Equal("b", 1),
                               Equal("c", "y"),
                               {.attribute = "d", .op = KeyOperator::kGe, .value = 2}}),
            "");
  EXPECT_EQ(MessageOf(schema, {Equal("a", "x"), Equal("b", 1), Equal("d", 2)}),
            "RANGE key attributes c must have equality conditions specified in the query because a "
            "condition is present on key attribute d");
  EXPECT_EQ(MessageOf(schema, {Equal("a", "x"),
                               Equal("b", 1),
                               {.attribute = "c", .op = KeyOperator::kLt, .value = "y"},
                               Equal("d", 2)}),
            "RANGE key attributes c must have equality conditions specified in the query because a "
            "condition is present on key attribute d");
}

}  // namespace key_binding_test
}  // namespace stator
