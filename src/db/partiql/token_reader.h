// What both halves of the parser read tokens with.
#ifndef STATOR_PARTIQL_TOKEN_READER_H_
#define STATOR_PARTIQL_TOKEN_READER_H_

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "partiql/lexer.h"
#include "partiql/syntax.h"
#include "stator/result.h"

namespace stator::partiql {

class TokenReader {
 public:
  // REQUIRES: the last token is kEnd.
  explicit TokenReader(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}

 protected:
  // The token at the front, or one behind it.
  const Token& Peek(std::size_t ahead = 0) const {
    return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
  }
  bool At(TokenKind kind, std::string_view text, std::size_t ahead = 0) const {
    return Peek(ahead).kind == kind && Peek(ahead).text == text;
  }
  bool AtKeyword(std::string_view keyword, std::size_t ahead = 0) const {
    return At(TokenKind::kKeyword, keyword, ahead);
  }
  bool AtSymbol(std::string_view symbol, std::size_t ahead = 0) const {
    return At(TokenKind::kSymbol, symbol, ahead);
  }
  bool AtName() const {
    return Peek().kind == TokenKind::kIdentifier || Peek().kind == TokenKind::kQuoted;
  }
  bool AtEnd() const {
    return Peek().kind == TokenKind::kEnd || (AtSymbol(";") && Peek(1).kind == TokenKind::kEnd);
  }

  void Skip(std::size_t count = 1) { at_ = std::min(at_ + count, tokens_.size() - 1); }
  bool TakeKeyword(std::string_view keyword) { return Take(TokenKind::kKeyword, keyword); }
  bool TakeSymbol(std::string_view symbol) { return Take(TokenKind::kSymbol, symbol); }
  bool TakeWord(std::string_view word) { return Take(TokenKind::kWord, word); }
  // "Expected RIGHT_PAREN", …
  Result<void> Expect(std::string_view symbol);

  std::size_t CountParameters() const;

 private:
  bool Take(TokenKind kind, std::string_view text) {
    if (!At(kind, text)) return false;
    Skip();
    return true;
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_TOKEN_READER_H_
