#include "model/parse/predicate_text.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>

namespace stator::model {
namespace predicate_text_test {

Node TextNode(std::string_view text) {
  return {.kind = Node::Kind::kText, .text = std::string(text), .place = {3, 10}};
}

Predicate Parsed(std::string_view text) {
  const auto predicate = ReadPredicate(TextNode(text));
  EXPECT_TRUE(predicate) << text << ": " << (predicate ? "" : predicate.error().message);
  return predicate.value_or(Predicate{{{Term{}}}, "", {}});
}

Term OnlyTerm(std::string_view text) {
  const Predicate predicate = Parsed(text);
  EXPECT_EQ(predicate.any_of.size(), 1U) << text;
  EXPECT_EQ(predicate.any_of.front().size(), 1U) << text;
  return predicate.any_of.front().front();
}

TEST(PredicateText, CommaAndAndJoinTerms) {
  for (const std::string_view text :
       {"Status = downloading, At < now-30m", "Status = downloading and At < now - 30m",
        "Status = 'downloading' AND At < now-30m"}) {
    const Predicate predicate = Parsed(text);
    ASSERT_EQ(predicate.any_of.front().size(), 2U) << text;
    const Term& status = predicate.any_of.front()[0];
    const Term& at = predicate.any_of.front()[1];
    EXPECT_EQ(status.operands.front().text, "downloading");
    EXPECT_EQ(at.comparison, Comparison::kLess);
    EXPECT_EQ(at.operands.front().kind, Operand::Kind::kNow);
    EXPECT_EQ(at.operands.front().offset.count(), -1800);
  }
}

TEST(PredicateText, OrSeparatesConjunctions) {
  const Predicate predicate = Parsed("a = false or b in (FAILED, PENDING), c exists");
  ASSERT_EQ(predicate.any_of.size(), 2U);
  EXPECT_EQ(predicate.any_of[0][0].operands[0].kind, Operand::Kind::kBool);
  EXPECT_EQ(predicate.any_of[1][0].comparison, Comparison::kIn);
  EXPECT_EQ(predicate.any_of[1][0].operands.size(), 2U);
  EXPECT_EQ(predicate.any_of[1][1].comparison, Comparison::kExists);
}

TEST(PredicateText, EveryComparisonHasItsSign) {
  const std::pair<std::string_view, Comparison> cases[] = {
      {"a = 1", Comparison::kEqual},
      {"a == 1", Comparison::kEqual},
      {"a <> 1", Comparison::kNotEqual},
      {"a != 1", Comparison::kNotEqual},
      {"a < 1", Comparison::kLess},
      {"a<=1", Comparison::kLessOrEqual},
      {"a > 1", Comparison::kGreater},
      {"a>=1", Comparison::kGreaterOrEqual},
      {"a between 1 and 2", Comparison::kBetween},
      {"a begins_with x", Comparison::kBeginsWith},
      {"begins_with(a, 'x')", Comparison::kBeginsWith},
      {"a contains x", Comparison::kContains},
      {"a missing", Comparison::kMissing},
      {"attribute_exists(a)", Comparison::kExists},
      {"attribute_not_exists(a)", Comparison::kMissing},
      {"a in (1)", Comparison::kIn},
  };
  for (const auto& [text, comparison] : cases) {
    const Term term = OnlyTerm(text);
    EXPECT_EQ(term.comparison, comparison) << text;
    EXPECT_EQ(term.attribute, "a") << text;
  }
}

TEST(PredicateText, OperandsAreParametersTimesNumbersAndText) {
  EXPECT_EQ(OnlyTerm("a = $c").operands[0].kind, Operand::Kind::kParameter);
  EXPECT_EQ(OnlyTerm("a = $now:num").operands[0].declared_type, "num");
  EXPECT_EQ(OnlyTerm("a = -2.5").operands[0].kind, Operand::Kind::kNumber);
  EXPECT_EQ(OnlyTerm("a = 2026-02-28").operands[0].kind, Operand::Kind::kText);
  EXPECT_EQ(OnlyTerm("a = STATUS#FAILED").operands[0].text, "STATUS#FAILED");
  EXPECT_EQ(OnlyTerm("a = 'it''s, (so)'").operands[0].text, "it's, (so)");
  EXPECT_EQ(OnlyTerm("a = ''").operands[0].text, "");
}

TEST(PredicateText, ADotNamesTheEntity) {
  const Term term = OnlyTerm("Alias.chatId = $c");
  EXPECT_EQ(term.entity, "Alias");
  EXPECT_EQ(term.attribute, "chatId");
}

TEST(PredicateText, TermsKnowTheirColumn) {
  const Predicate predicate = Parsed("ab = 1, c = 2");
  EXPECT_EQ(predicate.any_of[0][1].place, (Place{3, 18}));
}

TEST(PredicateText, MistakesSayWhatWasExpected) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "name of an attribute"},         {"a", "expected =, <>"},
      {"a =", "expected a value"},          {"a = 1 b = 2", "expected `and`, `or`"},
      {"a between 1", "upper bound"},       {"a in 1", "expected ("},
      {"a in (1", "expected , or )"},       {"size(a) = 1", "unknown function"},
      {"a = 'x", "is not closed"},          {"a = $", "a name after $"},
      {"a = $x:text", "unknown type"},      {"a < now-3x", "not a duration"},
      {"a = 1 or", "name of an attribute"},
  };
  for (const auto& [text, message] : cases) {
    const auto predicate = ReadPredicate(TextNode(text));
    ASSERT_FALSE(predicate) << text;
    EXPECT_NE(predicate.error().message.find(message), std::string::npos)
        << text << ": " << predicate.error().message;
  }
}

RC_GTEST_PROP(PredicateText, AnyTextIsReadOrRefused, (const std::string& text)) {
  const auto predicate = ReadPredicate(TextNode(text));
  RC_ASSERT(!predicate || !predicate->any_of.front().empty());
}

}  // namespace predicate_text_test
}  // namespace stator::model
