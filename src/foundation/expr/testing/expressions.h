// For tests: expressions with their placeholders, and what is expected of their parsers.
#ifndef STATOR_EXPR_TESTING_EXPRESSIONS_H_
#define STATOR_EXPR_TESTING_EXPRESSIONS_H_

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "expr/update.h"

namespace stator {

// The placeholders of one request. Both maps are present.
struct TestPlaceholders {
  NameMap names;
  ValueMap values;
  Wording wording = Wording::kCurrent;
};

inline Result<Condition> ParseCondition(std::string_view text, const TestPlaceholders& maps = {},
                                        ExpressionKind kind = ExpressionKind::kCondition) {
  Placeholders placeholders(&maps.names, &maps.values, maps.wording);
  return Condition::Parse(text, kind, placeholders);
}

inline Result<Update> ParseUpdate(std::string_view text, const TestPlaceholders& maps = {}) {
  Placeholders placeholders(&maps.names, &maps.values, maps.wording);
  return Update::Parse(text, placeholders);
}

inline Result<Projection> ParseProjection(std::string_view text,
                                          const TestPlaceholders& maps = {}) {
  Placeholders placeholders(&maps.names, &maps.values, maps.wording);
  return Projection::Parse(text, placeholders);
}

inline Result<std::vector<KeyClause>> ParseKeys(std::string_view text,
                                                const TestPlaceholders& maps = {}) {
  Placeholders placeholders(&maps.names, &maps.values, maps.wording);
  return ParseKeyCondition(text, placeholders);
}

// The message of a failure; "(accepted)" for a success.
template <class T>
std::string MessageOf(const Result<T>& result) {
  return result ? "(accepted)" : result.error().message();
}

// A text, and the reason why it is refused.
struct RefusedCase {
  std::string text;
  std::string reason;
};

// `message_of` returns MessageOf the text's parse; the message is `prefix` and the reason.
template <class MessageOfText>
void ExpectRefused(const std::vector<RefusedCase>& cases, const std::string& prefix,
                   MessageOfText message_of) {
  for (const RefusedCase& c : cases) EXPECT_EQ(message_of(c.text), prefix + c.reason) << c.text;
}

template <class MessageOfText>
void ExpectAccepted(const std::vector<std::string>& texts, MessageOfText message_of) {
  for (const std::string& text : texts) EXPECT_EQ(message_of(text), "(accepted)") << text;
}

inline std::string SyntaxReason(std::string_view token, std::string_view near) {
  return "Syntax error; token: \"" + std::string(token) + "\", near: \"" + std::string(near) + "\"";
}

}  // namespace stator

#endif  // STATOR_EXPR_TESTING_EXPRESSIONS_H_
