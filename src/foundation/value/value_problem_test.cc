#include "value/value_problem.h"

#include <gtest/gtest.h>

namespace stator {
namespace value_problem_test {

using Kind = ValueProblem::Kind;

std::string Current(const ValueProblem& problem) {
  return ProblemMessage(problem, Wording::kCurrent);
}
std::string Classic(const ValueProblem& problem) {
  return ProblemMessage(problem, Wording::kClassic);
}

// For messages that both generations share.
std::string Both(const ValueProblem& problem) {
  EXPECT_EQ(Current(problem), Classic(problem));
  EXPECT_EQ(Current(problem), ProblemMessage(problem, Wording::kEnveloped));
  return Current(problem);
}

TEST(ValueProblem, WrongNumberOfTypesIsToldAlikeByBothGenerations) {
  EXPECT_EQ(
      Both({.kind = Kind::kNoType}),
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  EXPECT_EQ(Both({.kind = Kind::kSeveralTypes}),
            "Supplied AttributeValue has more than one datatypes set, must contain exactly one of "
            "the supported datatypes");
}

TEST(ValueProblem, NullMustBeTrue) {
  EXPECT_EQ(Both({.kind = Kind::kNullFalse}),
            "One or more parameter values were invalid: Null attribute value types must have the "
            "value of true");
}

TEST(ValueProblem, EmptySetsAreNamedByTheirType) {
  EXPECT_EQ(Both({.kind = Kind::kEmptySet, .set_type = 'S'}),
            "One or more parameter values were invalid: An string set  may not be empty");
  EXPECT_EQ(Both({.kind = Kind::kEmptySet, .set_type = 'N'}),
            "One or more parameter values were invalid: An number set  may not be empty");
  EXPECT_EQ(Both({.kind = Kind::kEmptySet, .set_type = 'B'}),
            "One or more parameter values were invalid: Binary sets should not be empty");
}

TEST(ValueProblem, DuplicateStringsAreShownSortedUpToTheRepeatOrAsSent) {
  const ValueProblem problem{
      .kind = Kind::kDuplicateInSet, .set_type = 'S', .members = {"b", "a", "b"}};
  EXPECT_EQ(Current(problem),
            "One or more parameter values were invalid: Input collection [\"a\", \"b\", \"b\"] "
            "contains duplicates.");
  EXPECT_EQ(Classic(problem),
            "One or more parameter values were invalid: Input collection [b, a, b] contains "
            "duplicates.");
  EXPECT_EQ(Current({.kind = Kind::kDuplicateInSet, .members = {"z", "y", "z", "x", "x", "a"}}),
            "One or more parameter values were invalid: Input collection [\"y\", \"z\", \"z\", "
            "\"x\", \"x\", \"a\"] contains duplicates.");
}

TEST(ValueProblem, DuplicateBinariesAreSortedByTheirBytes) {
  const ValueProblem problem{
      .kind = Kind::kDuplicateInSet, .set_type = 'B', .members = {"/w==", "AA==", "AA=="}};
  EXPECT_EQ(Current(problem),
            "One or more parameter values were invalid: Input collection "
            "[\"AA==\",\"/w==\",\"AA==\"]of type BS contains duplicates.");
  EXPECT_EQ(Classic(problem),
            "One or more parameter values were invalid: Input collection [/w==, AA==, AA==]of type "
            "BS contains duplicates.");
}

TEST(ValueProblem, DuplicateNumbersAreNotShown) {
  const ValueProblem problem{
      .kind = Kind::kDuplicateInSet, .set_type = 'N', .members = {"1", "1.0"}};
  EXPECT_EQ(Current(problem),
            "One or more parameter values were invalid: Input collection contains duplicates.");
  EXPECT_EQ(Classic(problem), "Input collection contains duplicates");
}

TEST(ValueProblem, TextThatIsNoNumberIsQuoted) {
  EXPECT_EQ(Both({.kind = Kind::kNotANumber, .members = {"1_0"}}),
            "The parameter cannot be converted to a numeric value: 1_0");
  EXPECT_EQ(Current({.kind = Kind::kNotANumber, .members = {""}}),
            "The parameter cannot be converted to a numeric value: ");
  EXPECT_EQ(Classic({.kind = Kind::kNotANumber, .members = {""}}),
            "The parameter cannot be converted to a numeric value");
}

TEST(ValueProblem, NumberLimitsHaveTheirMessages) {
  EXPECT_EQ(Both({.kind = Kind::kNumberOverflow}),
            "Number overflow. Attempting to store a number with magnitude larger than supported "
            "range");
  EXPECT_EQ(Both({.kind = Kind::kNumberUnderflow}),
            "Number underflow. Attempting to store a number with magnitude smaller than supported "
            "range");
  EXPECT_EQ(Both({.kind = Kind::kTooManyDigits}),
            "Attempting to store more than 38 significant digits in a Number");
}

TEST(ValueProblem, NestingAndNamesHaveTheirMessages) {
  EXPECT_EQ(Both({.kind = Kind::kTooDeep}),
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested "
            "levels beyond supported limit");
  EXPECT_EQ(Both({.kind = Kind::kEmptyName}), "Empty attribute name");
  EXPECT_EQ(Both({.kind = Kind::kNameTooLong}),
            "Attribute name is too large, must be less than 65536 bytes");
}

TEST(ValueProblem, OnlyTheRequestFamilyIsEnveloped) {
  for (const Kind kind :
       {Kind::kNullFalse, Kind::kEmptySet, Kind::kDuplicateInSet, Kind::kNotANumber,
        Kind::kNumberOverflow, Kind::kNumberUnderflow, Kind::kTooManyDigits, Kind::kTooDeep}) {
    const ValueProblem problem{.kind = kind};
    EXPECT_TRUE(IsEnveloped(problem));
    const Error error = ProblemError(problem, Wording::kEnveloped);
    EXPECT_EQ(error.code(), ErrorCode::kValidation);
    EXPECT_EQ(error.message(), "1 validation error detected: " + Current(problem));
    EXPECT_EQ(ProblemError(problem, Wording::kCurrent).message(), Current(problem));
    EXPECT_EQ(ProblemError(problem, Wording::kClassic).message(), Classic(problem));
  }
  for (const Kind kind : {Kind::kNoType, Kind::kSeveralTypes, Kind::kEmptyName}) {
    const ValueProblem problem{.kind = kind};
    EXPECT_FALSE(IsEnveloped(problem));
    EXPECT_EQ(ProblemError(problem, Wording::kEnveloped).message(), Current(problem));
  }
}

}  // namespace value_problem_test
}  // namespace stator
