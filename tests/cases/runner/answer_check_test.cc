#include "tests/cases/runner/answer_check.h"

#include <gtest/gtest.h>

namespace stator::cases {
namespace answer_check_test {

Differences Compare(std::string_view expected, std::string_view actual, SavedValues& saved) {
  JsonDocument wanted;
  JsonDocument got;
  EXPECT_TRUE(wanted.Parse(expected)) << expected;
  EXPECT_TRUE(got.Parse(actual)) << actual;
  return Match(wanted.root(), got.root(), saved);
}

bool Same(std::string_view expected, std::string_view actual) {
  SavedValues saved;
  return Compare(expected, actual, saved).empty();
}

TEST(JsonMatch, MembersMayComeInAnyOrderElementsMayNot) {
  EXPECT_TRUE(Same(R"({"a": 1, "b": [1, 2]})", R"({"b": [1.0, 2], "a": 1})"));
  EXPECT_FALSE(Same("[1, 2]", "[2, 1]"));
  EXPECT_FALSE(Same("[1]", "[1, 1]"));
}

TEST(JsonMatch, NothingExtraIsAllowedUnlessSaid) {
  EXPECT_FALSE(Same(R"({"a": 1})", R"({"a": 1, "b": 2})"));
  EXPECT_FALSE(Same(R"({"a": 1, "b": 2})", R"({"a": 1})"));
  EXPECT_TRUE(Same(R"({"a": 1, "$others": "$any"})", R"({"a": 1, "b": 2})"));
  EXPECT_FALSE(Same(R"({"b": "$absent", "$others": "$any"})", R"({"a": 1, "b": 2})"));
  EXPECT_TRUE(Same(R"({"c": "$absent", "$others": "$any"})", R"({"a": 1, "b": 2})"));
}

TEST(JsonMatch, PlaceholdersStandForValuesThatVary) {
  EXPECT_TRUE(Same(R"("$any")", R"({"a": []})"));
  EXPECT_TRUE(Same(R"("$number")", "0.5"));
  EXPECT_FALSE(Same(R"("$number")", R"("0.5")"));
  EXPECT_TRUE(Same(R"("$timestamp")", "1791504762.511"));
  EXPECT_FALSE(Same(R"("$timestamp")", "5"));
  EXPECT_TRUE(Same(R"("$uuid")", R"("12345678-1234-abcd-ABCD-1234567890ab")"));
  EXPECT_FALSE(Same(R"("$uuid")", R"("12345678-1234-abcd-ABCD-1234567890aX")"));
}

TEST(JsonMatch, UnorderedArraysHoldTheSameElements) {
  EXPECT_TRUE(Same(R"({"$unordered": [1, 2, 2]})", "[2, 1, 2]"));
  EXPECT_FALSE(Same(R"({"$unordered": [1, 2]})", "[2, 1, 2]"));
  EXPECT_FALSE(Same(R"({"$unordered": [1, 1]})", "[2, 1]"));
}

TEST(JsonMatch, SavesValuesUnderTheirNames) {
  SavedValues saved;
  EXPECT_TRUE(
      Compare(R"({"Key": "$save last"})", R"({"Key": {"pk": {"S": "\"x"}}})", saved).empty());
  EXPECT_EQ(saved["last"], R"({"pk": {"S": "\"x"}})");
}

TEST(JsonMatch, ADifferenceNamesItsPlace) {
  SavedValues saved;
  EXPECT_EQ(Compare(R"({"a": [{"S": "x"}]})", R"({"a": [{"S": "y"}]})", saved),
            Differences{R"(.a[0].S: expected "x", got "y")"});
  EXPECT_EQ(Compare(R"({"a": 1})", "{}", saved), Differences{".a: expected 1, but it is absent"});
}

TEST(JsonMatch, TextMayLeaveParts) {
  EXPECT_TRUE(MatchesText("Value {*} at {*}", "Value 'x' at 'y'"));
  EXPECT_FALSE(MatchesText("Value {*} at 'z'", "Value 'x' at 'y'"));
  EXPECT_TRUE(MatchesText("exact", "exact"));
  EXPECT_FALSE(MatchesText("exact", "exactly"));
}

}  // namespace answer_check_test
}  // namespace stator::cases
