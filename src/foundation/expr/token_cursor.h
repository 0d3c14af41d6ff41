// A position in the tokens of one expression. Parsers move it forward and, when no grammar rule
// fits, leave it at the token that cannot continue.
#ifndef STATOR_EXPR_TOKEN_CURSOR_H_
#define STATOR_EXPR_TOKEN_CURSOR_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "expr/lexer.h"

namespace stator {

class TokenCursor {
 public:
  // The last token is kEnd. They must outlive the cursor.
  explicit TokenCursor(std::span<const Token> tokens) : tokens_(tokens) {}

  const Token& peek() const { return tokens_[at_]; }
  std::size_t position() const { return at_; }
  bool AtEnd() const { return peek().kind == TokenKind::kEnd; }
  bool At(TokenKind kind) const { return peek().kind == kind; }
  bool AtSymbol(char symbol) const { return IsSymbol(peek(), symbol); }
  // Whether the token behind the present one is this symbol.
  bool SymbolFollows(char symbol) const { return !AtEnd() && IsSymbol(tokens_[at_ + 1], symbol); }
  // `keyword` in capitals; the text may spell it in any case.
  bool AtKeyword(std::string_view keyword) const {
    return At(TokenKind::kIdentifier) && peek().text.size() == keyword.size() && Spells(keyword);
  }
  // From the token `first`, which was taken, up to the present one.
  std::span<const Token> Since(const Token* first) const { return {first, &peek()}; }

  // REQUIRES: not AtEnd().
  std::string_view Take() { return tokens_[at_++].text; }
  bool TakeSymbol(char symbol) { return AtSymbol(symbol) && (++at_, true); }
  bool TakeKeyword(std::string_view keyword) { return AtKeyword(keyword) && (++at_, true); }

  std::string ErrorReason() const { return SyntaxErrorReason(tokens_, at_); }

 private:
  static bool IsSymbol(const Token& token, char symbol) {
    return token.kind == TokenKind::kSymbol && token.text.size() == 1 && token.text[0] == symbol;
  }
  bool Spells(std::string_view keyword) const;

  std::span<const Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace stator

#endif  // STATOR_EXPR_TOKEN_CURSOR_H_
