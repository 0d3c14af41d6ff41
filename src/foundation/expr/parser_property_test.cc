// The lexer takes any text, and parsers answer any sequence of tokens with a result or a message.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>

#include "expr/lexer.h"
#include "expr/testing/expressions.h"
#include "expr/testing/value_model.h"

namespace stator {
namespace parser_property_test {

// clang-format off
constexpr std::array kTokens = {
    "a", "b", "#n", "#x", ":n", ":s", ":l", ":ss", ":x", "(", ")", "(", ")", "[", "]", "0",
    "99999999999", ".", ",", "=", "<>", "<", ">=", "+", "-", "AND", "OR", "NOT", "BETWEEN",
    "IN", "SET", "REMOVE", "ADD", "DELETE", "size", "contains", "begins_with", "attribute_type",
    "attribute_exists", "if_not_exists", "list_append", "_", "#", ":", "!", "é", "abort",
    "a = :n", "a.b[0]", "size(a) > :n"};
// clang-format on

std::string RandomSoup(Dice& dice) {
  std::string text;
  for (int i = dice.Roll(20); i >= 0; --i) {
    text += kTokens[static_cast<std::size_t>(dice.Roll(static_cast<int>(kTokens.size())))];
    if (dice.Roll(3) != 0) text += " ";
  }
  return text;
}

TEST(Lexer, TokensCoverEverythingThatIsNotBlank) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    std::string covered;
    for (const Token& token : Tokenize(text)) covered += token.text;
    std::string wanted;
    for (const char c : text) {
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') wanted += c;
    }
    RC_ASSERT(covered == wanted);
  }));
}

TEST(TokenSoup, IsAnsweredByEveryParser) {
  const TestPlaceholders maps{.names = {{"#n", "n"}},
                              .values = {{":n", 1},
                                         {":s", "S"},
                                         {":l", AttributeValue::List({1})},
                                         {":ss", AttributeValue::StringSet({"a"})}}};
  const Item item{{"a", AttributeValue::Map({{"b", AttributeValue::List({1})}})}, {"b", 1}};
  EXPECT_TRUE(rc::check([&](std::uint64_t seed) {
    Dice dice(seed);
    const std::string text = RandomSoup(dice);
    const std::string update_text = "SET a = " + text;
    if (const auto condition = ParseCondition(text, maps)) {
      const bool holds = condition->Evaluate(item.view());
      const auto negated = ParseCondition("NOT (" + text + ")", maps);
      if (negated) RC_ASSERT(negated->Evaluate(item.view()) != holds);
    } else {
      RC_ASSERT(condition.error().message().starts_with("Invalid ConditionExpression: "));
    }
    const auto update = ParseUpdate(update_text, maps);
    // In parentheses of their own: RC_ASSERT looks at both sides of a bare ||.
    RC_ASSERT((update || update.error().message().starts_with("Invalid UpdateExpression: ")));
    if (update) RC_ASSERT(!MessageOf(update->Apply(item.view())).empty());
    const auto projection = ParseProjection(text, maps);
    RC_ASSERT(
        (projection || projection.error().message().starts_with("Invalid ProjectionExpression: ")));
    const auto keys = ParseKeys(text, maps);
    RC_ASSERT((keys || keys.error().message().starts_with("Invalid KeyConditionExpression: ")));
  }));
}

}  // namespace parser_property_test
}  // namespace stator
