// A position in the tokens of one expression. Parsers move it forward and, when no grammar rule
// fits, leave it at the token that cannot continue.
#ifndef STATOR_EXPR_TOKEN_CURSOR_H_
#define STATOR_EXPR_TOKEN_CURSOR_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "expr/lexer.h"

namespace stator {

class TokenCursor {
 public:
  // The text must outlive the cursor.
  explicit TokenCursor(std::string_view text) : tokens_(Tokenize(text)) {}

  const Token& peek() const { return tokens_[at_]; }
  std::size_t position() const { return at_; }
  bool AtEnd() const { return peek().kind == TokenKind::kEnd; }
  bool At(TokenKind kind) const { return peek().kind == kind; }
  bool AtSymbol(std::string_view symbol) const {
    return At(TokenKind::kSymbol) && peek().text == symbol;
  }
  // Whether the token behind the present one is this symbol.
  bool SymbolFollows(std::string_view symbol) const {
    if (AtEnd()) return false;
    const Token& next = tokens_[at_ + 1];
    return next.kind == TokenKind::kSymbol && next.text == symbol;
  }
  // `keyword` in capitals; the text may spell it in any case.
  bool AtKeyword(std::string_view keyword) const;

  // REQUIRES: not AtEnd().
  std::string_view Take() { return tokens_[at_++].text; }
  bool TakeSymbol(std::string_view symbol) { return AtSymbol(symbol) && (++at_, true); }
  bool TakeKeyword(std::string_view keyword) { return AtKeyword(keyword) && (++at_, true); }

  std::string ErrorReason() const { return SyntaxErrorReason(tokens_, at_); }

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace stator

#endif  // STATOR_EXPR_TOKEN_CURSOR_H_
