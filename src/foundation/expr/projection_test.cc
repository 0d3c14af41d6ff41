#include "expr/projection.h"

#include <gtest/gtest.h>

#include "expr/testing/expressions.h"

namespace stator {
namespace projection_test {

AttributeValue List(const std::vector<AttributeValue>& elements) {
  return AttributeValue::List(elements);
}
AttributeValue Map(const std::vector<std::pair<std::string, AttributeValue>>& entries) {
  return AttributeValue::Map(entries);
}

const TestPlaceholders& Maps() {
  static const TestPlaceholders maps{.names = {{"#a", "a"}, {"#dots", "x.y"}}};
  return maps;
}

const Item& Stored() {
  static const Item item{{"a", 1},
                         {"b", "text"},
                         {"x.y", "dotted"},
                         {"l", List({0, Map({{"p", 1}, {"q", 2}}), 2, List({"i", "j"})})},
                         {"m", Map({{"k", Map({{"deep", true}, {"oth", 1}})}, {"n", 5}})}};
  return item;
}

void ExpectError(const std::string& text, const std::string& reason) {
  EXPECT_EQ(MessageOf(ParseProjection(text, Maps())), "Invalid ProjectionExpression: " + reason)
      << text;
}

void ExpectSelected(std::string_view text, const Item& wanted) {
  const Result<Projection> projection = ParseProjection(text, Maps());
  ASSERT_TRUE(projection) << text << ": " << MessageOf(projection);
  EXPECT_EQ(projection->Apply(Stored().view()), wanted) << text;
}

TEST(ProjectionErrors, ComeInTheirOrder) {
  ExpectError("", "The expression can not be empty;");
  ExpectError(std::string(4097, 'a'), "Expression size has exceeded the maximum allowed size;");
  ExpectError("abort, #x, a, a, a.", R"(Syntax error; token: "<EOF>", near: ".")");
  ExpectError("abort, #x, a, a", "Attribute name is a reserved keyword; reserved keyword: abort");
  ExpectError(
      "#x, a, a",
      "An expression attribute name used in the document path is not defined; attribute name: #x");
  ExpectError(
      "m.k, m[0], a, #a",
      "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
      "one: [a], path two: [a]");
  ExpectError("m.k, m[0]",
              "Two document paths conflict with each other; must remove or rewrite one of these "
              "paths; path "
              "one: [m, k], path two: [m, [0]]");
  ExpectError(
      "m, m.k",
      "Two document paths overlap with each other; must remove or rewrite one of these paths; path "
      "one: [m], path two: [m, k]");
}

TEST(ProjectionSyntax, NamesTheFirstTokenThatCannotContinue) {
  ExpectError("a b", R"(Syntax error; token: "b", near: "a b")");
  ExpectError("a,,b", R"(Syntax error; token: ",", near: ",,b")");
  ExpectError("a, #, b", R"(Syntax error; token: "#", near: ", #,")");
  ExpectError(":a", R"(Syntax error; token: ":a", near: ":a")");
  ExpectError("size(a)", R"(Syntax error; token: "(", near: "size(a")");
  ExpectError("a[x]", R"(Syntax error; token: "x", near: "[x]")");
  ExpectError("(a)", R"(Syntax error; token: "(", near: "(a")");
}

TEST(Projection, SelectsTopLevelAttributes) {
  ExpectSelected("b, #a, nowhere", {{"a", 1}, {"b", "text"}});
  ExpectSelected("#dots", {{"x.y", "dotted"}});
  ExpectSelected("nowhere", {});
}

TEST(Projection, KeepsNestingAndMergesSharedParents) {
  ExpectSelected("m.k.deep", {{"m", Map({{"k", Map({{"deep", true}})}})}});
  ExpectSelected("m.n, a, m.k.oth", {{"a", 1}, {"m", Map({{"k", Map({{"oth", 1}})}, {"n", 5}})}});
}

TEST(Projection, CompactsListElementsInIndexOrder) {
  ExpectSelected("l[2], l[0]", {{"l", List({0, 2})}});
  ExpectSelected("l[3][1], l[1].q", {{"l", List({Map({{"q", 2}}), List({"j"})})}});
  ExpectSelected("l[1].p, l[9], l[1].q", {{"l", List({Map({{"p", 1}, {"q", 2}})})}});
}

TEST(Projection, LeavesOutParentsOfWhatDoesNotExist) {
  ExpectSelected("m.x.y, l[0].k, b.c, a[0]", {});
}

TEST(Projection, TellsItsPathsInWrittenOrder) {
  const Result<Projection> projection = ParseProjection("m.k, #a", Maps());
  ASSERT_TRUE(projection);
  ASSERT_EQ(projection->paths().size(), 2U);
  EXPECT_EQ(PathText(projection->paths()[0]), "[m, k]");
  EXPECT_EQ(PathText(projection->paths()[1]), "[a]");
}

TEST(AttributesToGet, SelectsWholeAttributesByTheirNames) {
  const Result<Projection> projection = Projection::FromNames({"x.y", "b", "nowhere"});
  ASSERT_TRUE(projection);
  EXPECT_EQ(projection->Apply(Stored().view()), (Item{{"b", "text"}, {"x.y", "dotted"}}));
}

TEST(AttributesToGet, RefusesDuplicates) {
  EXPECT_EQ(MessageOf(Projection::FromNames({"a", "b", "a"})),
            "One or more parameter values were invalid: Duplicate value in attribute name: a");
}

}  // namespace projection_test
}  // namespace stator
