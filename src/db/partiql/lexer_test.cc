#include "partiql/lexer.h"

#include <gtest/gtest.h>

#include <string>

namespace stator::partiql {
namespace lexer_test {

std::string Shown(std::string_view text) {
  const Result<std::vector<Token>> tokens = Tokenize(text);
  if (!tokens) return tokens.error().message();
  std::string shown;
  for (const Token& token : *tokens) {
    if (token.kind == TokenKind::kEnd) continue;
    if (!shown.empty()) shown += ' ';
    shown += token.text + "@" + std::to_string(token.place.line) + ":" +
             std::to_string(token.place.column) + ":" + std::to_string(token.place.length);
  }
  return shown;
}

constexpr std::string_view kNoTokens = "Statement wasn't well formed, can't be processed: ";

TEST(PartiqlLexer, PlacesCountCharactersFromOne) {
  EXPECT_EQ(Shown("SELECT \"é\" x"), "select@1:1:6 é@1:8:3 x@1:12:1");
  EXPECT_EQ(Shown("a\nb\r\nc\rd"), "a@1:1:1 b@2:1:1 c@3:1:1 d@4:1:1");
  EXPECT_EQ(Shown("a\n  'it''s'"), "a@1:1:1 it's@2:3:7");
}

TEST(PartiqlLexer, CommentsAreBlanks) {
  EXPECT_EQ(Shown("a -- b\nc /* d\n */ e --"), "a@1:1:1 c@2:1:1 e@3:5:1");
  EXPECT_EQ(Shown("-/* c */-1"), "-@1:1:1 -@1:9:1 1@1:10:1");
  EXPECT_EQ(Shown("a /* open"), kNoTokens);
}

TEST(PartiqlLexer, OperatorsAreTheLongestPossible) {
  EXPECT_EQ(Shown("a<=b<>c!=d<<>>"),
            "a@1:1:1 <=@1:2:2 b@1:4:1 <>@1:5:2 c@1:7:1 <>@1:8:2 d@1:10:1 <<@1:11:2 >>@1:13:2");
}

TEST(PartiqlLexer, ReadsNumbers) {
  for (const std::string number :
       {"1", "1.5", "1.", ".5", "1e5", "1.5E-3", "1e+6", "1e2147483647"}) {
    const Result<std::vector<Token>> tokens = Tokenize(number);
    ASSERT_TRUE(tokens) << number;
    ASSERT_EQ(tokens->size(), 2U) << number;
    EXPECT_EQ(tokens->front().kind, TokenKind::kNumber);
    EXPECT_EQ(tokens->front().text, number);
  }
  EXPECT_EQ(Shown("1 e5"), "1@1:1:1 e5@1:3:2");
  EXPECT_EQ(Shown("1x"), "1@1:1:1 x@1:2:1");
}

TEST(PartiqlLexer, RefusesWhatIsNoToken) {
  for (const std::string_view text :
       {"#", "`x`", "!", "a ! b", "'open", "\"open", "1e", "1e+", "1e2147483648", "1e99999999999",
        "1.5e-2147483647", "é", "^", "\\", "a & b"}) {
    EXPECT_EQ(Shown(text), kNoTokens) << text;
  }
}

TEST(PartiqlLexer, CountsParameters) {
  const Result<std::vector<Token>> tokens = Tokenize("? '?' ?");
  ASSERT_TRUE(tokens);
  EXPECT_EQ(tokens->at(0).parameter, 0U);
  EXPECT_EQ(tokens->at(1).kind, TokenKind::kString);
  EXPECT_EQ(tokens->at(2).parameter, 1U);
}

TEST(PartiqlLexer, WordsHaveTheirKinds) {
  const Result<std::vector<Token>> tokens =
      Tokenize("name PAD Value AND nUlL Missing TRUE as \"AND\"");
  ASSERT_TRUE(tokens);
  const std::vector<TokenKind> kinds = {
      TokenKind::kIdentifier, TokenKind::kKeyword, TokenKind::kKeyword,
      TokenKind::kOperator,   TokenKind::kNull,    TokenKind::kMissing,
      TokenKind::kBoolean,    TokenKind::kWord,    TokenKind::kQuoted};
  for (std::size_t i = 0; i < kinds.size(); ++i) EXPECT_EQ(tokens->at(i).kind, kinds[i]) << i;
}

}  // namespace lexer_test
}  // namespace stator::partiql
