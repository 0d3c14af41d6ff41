#include "expr/lexer.h"

#include <gtest/gtest.h>

#include <string>

namespace stator {
namespace lexer_test {

std::vector<std::string> Texts(std::string_view text) {
  std::vector<std::string> texts;
  for (const Token& token : Tokenize(text)) texts.emplace_back(token.text);
  return texts;
}

using Strings = std::vector<std::string>;

TEST(Lexer, EndsEveryExpressionWithAnEndToken) {
  EXPECT_EQ(Tokenize("").back().kind, TokenKind::kEnd);
  EXPECT_EQ(Tokenize(" \t\r\n").size(), 1U);
  EXPECT_EQ(Tokenize("a").back().kind, TokenKind::kEnd);
}

TEST(Lexer, SplitsOperatorsWithoutBlanks) {
  EXPECT_EQ(Texts("a<>:b"), (Strings{"a", "<>", ":b", ""}));
  EXPECT_EQ(Texts("a<=b>=c<d>e=f"),
            (Strings{"a", "<=", "b", ">=", "c", "<", "d", ">", "e", "=", "f", ""}));
  EXPECT_EQ(Texts("a.b[10],#c+-"),
            (Strings{"a", ".", "b", "[", "10", "]", ",", "#c", "+", "-", ""}));
}

TEST(Lexer, UnderscoreStartsNoIdentifier) {
  EXPECT_EQ(Texts("_x a_b __"), (Strings{"_", "x", "a_b", "_", "_", ""}));
}

TEST(Lexer, PlaceholderMayStartWithUnderscoreOrDigit) {
  const std::vector<Token> tokens = Tokenize("#_a :0b");
  EXPECT_EQ(tokens[0].kind, TokenKind::kName);
  EXPECT_EQ(tokens[0].text, "#_a");
  EXPECT_EQ(tokens[1].kind, TokenKind::kValue);
  EXPECT_EQ(tokens[1].text, ":0b");
}

TEST(Lexer, BareSignIsASymbol) {
  EXPECT_EQ(Tokenize("# a")[0].kind, TokenKind::kSymbol);
  EXPECT_EQ(Tokenize(": a")[0].kind, TokenKind::kSymbol);
}

TEST(Lexer, CharacterOutsideAsciiStaysWhole) {
  EXPECT_EQ(Texts("a=é😀"), (Strings{"a", "=", "é", "😀", ""}));
}

TEST(SyntaxErrorReason, ShowsTheTokenAndItsNeighbours) {
  const std::vector<Token> tokens = Tokenize("a = = b");
  EXPECT_EQ(SyntaxErrorReason(tokens, 2), R"(Syntax error; token: "=", near: "= = b")");
  EXPECT_EQ(SyntaxErrorReason(tokens, 0), R"(Syntax error; token: "a", near: "a =")");
  EXPECT_EQ(SyntaxErrorReason(tokens, 4), R"(Syntax error; token: "<EOF>", near: "b")");
}

TEST(SyntaxErrorReason, KeepsTheBlanksBetweenTokens) {
  EXPECT_EQ(SyntaxErrorReason(Tokenize("a  \t=\n b  "), 1),
            "Syntax error; token: \"=\", near: \"a  \t=\n b\"");
}

TEST(ReservedWords, AreFoundInAnyCase) {
  for (const char* word : {"ABORT", "abort", "Name", "STATUS", "zone", "Partition", "Size"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
}

TEST(ReservedWords, OtherWordsAreFree) {
  for (const char* word : {"", "pk", "named", "ABOR", "ZZZ", "AAA"}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
  EXPECT_FALSE(IsReservedWord(std::string(1000, 'A')));
}

}  // namespace lexer_test
}  // namespace stator
