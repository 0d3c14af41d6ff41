#include "api/constraints.h"

#include <gtest/gtest.h>

namespace stator {
namespace constraints_test {

std::string Message(const Constraints& check) {
  const Result<void> finished = check.Finish();
  if (finished) return "";
  EXPECT_EQ(finished.error().code(), ErrorCode::kValidation);
  return finished.error().message();
}

TEST(Constraints, NothingWrongIsNoError) {
  Constraints check;
  check.NotNull("a", std::optional<int>(1));
  check.Enum("b", std::optional<Choice<KeyType>>(KeyType::kHash));
  check.Enum("c", std::optional<Choice<KeyType>>());
  check.AtLeast("d", 1, 1);
  check.AtMost("e", 100, 100);
  check.Name("f", "abc_.-Z9", {.min_length = 3});
  check.Name("g", std::nullopt, {});
  EXPECT_TRUE(check.empty());
  EXPECT_EQ(Message(check), "");
}

TEST(Constraints, OneErrorIsSingular) {
  Constraints check;
  check.NotNull("tableName", std::optional<std::string>());
  EXPECT_EQ(Message(check),
            "1 validation error detected: Value null at 'tableName' failed to satisfy constraint: "
            "Member must not be null");
}

TEST(Constraints, ErrorsAreJoinedInTheOrderOfTheChecks) {
  Constraints check;
  check.Enum("returnConsumedCapacity", std::optional(Choice<ReturnConsumedCapacity>::Unknown("X")));
  check.AtLeast("limit", 0, 1);
  check.AtMost("limit", 101, 100);
  EXPECT_EQ(
      Message(check),
      "3 validation errors detected: Value 'X' at 'returnConsumedCapacity' failed to satisfy "
      "constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value '0' at "
      "'limit' failed to satisfy constraint: Member must have value greater than or equal to 1; "
      "Value '101' at 'limit' failed to satisfy constraint: Member must have value less than or "
      "equal to 100");
}

TEST(Constraints, ANameFailsPatternThenLength) {
  Constraints check;
  check.Name("indexName", "a;", {.min_length = 3});
  EXPECT_EQ(
      Message(check),
      "2 validation errors detected: Value 'a;' at 'indexName' failed to satisfy constraint: "
      "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value 'a;' at "
      "'indexName' failed to satisfy constraint: Member must have length greater than or equal "
      "to 3");
}

TEST(Constraints, AnEmptyNameFailsThePatternOnlyWhereThreeCharactersAreNeeded) {
  Constraints one;
  one.Name("n", "", {.min_length = 1});
  EXPECT_TRUE(Message(one).starts_with("1 validation error detected: Value '' at 'n'"));
  Constraints three;
  three.Name("n", "", {.min_length = 3});
  EXPECT_TRUE(Message(three).starts_with("2 validation errors detected: Value '' at 'n'"));
}

TEST(Constraints, ALongNameFailsMaximumLength) {
  Constraints check;
  check.Name("n", std::string(256, 'a'), {});
  EXPECT_TRUE(Message(check).ends_with("Member must have length less than or equal to 255"));
}

TEST(Constraints, NoMoreThanTenAreListed) {
  Constraints check;
  for (int i = 0; i < 12; ++i) check.NotNull(std::to_string(i), std::optional<int>());
  const std::string message = Message(check);
  EXPECT_TRUE(message.starts_with("10 validation errors detected: ")) << message;
  EXPECT_NE(message.find("at '9'"), std::string::npos);
  EXPECT_EQ(message.find("at '10'"), std::string::npos);
}

}  // namespace constraints_test
}  // namespace stator
