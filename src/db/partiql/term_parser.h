// The terms of expressions: names and paths, literals, calls, groups, lists, bags and tuples.
#ifndef STATOR_PARTIQL_TERM_PARSER_H_
#define STATOR_PARTIQL_TERM_PARSER_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "partiql/lexer.h"
#include "partiql/syntax.h"
#include "stator/result.h"

namespace stator::partiql {

// Binds weaker than every operator.
inline constexpr int kWeakest = -1;

// The tokens of a statement, read from the front.
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
  // Takes the symbol. "Expected RIGHT_PAREN", …
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

class TermParser : protected TokenReader {
 public:
  using TokenReader::TokenReader;
  virtual ~TermParser() = default;
  TermParser(const TermParser&) = delete;
  TermParser& operator=(const TermParser&) = delete;

 protected:
  // A term, and the steps of a path behind it.
  Result<Expression> ParsePathTerm();
  // A name and its steps: what may be assigned to, or be a table.
  Result<Expression> ParseSimplePath();
  // expression (',' expression)*
  Result<std::vector<Expression>> ParseExpressions();

  // Takes operators that bind stronger than `above`.
  virtual Result<Expression> ParseExpression(int above) = 0;
  // A term that begins with a keyword of a statement.
  virtual Result<Expression> ParseStatementTerm() = 0;

  // Fails when the tree would be higher than allowed.
  static Result<Expression> Node(Form form, const Token& token, std::string text,
                                 std::vector<Expression> children);
  static Expression Leaf(Form form, const Token& token);

 private:
  Result<void> ParseSteps(Expression& path, bool simple);
  Result<Expression> ParseBracket(bool simple);
  Result<Expression> ParseTerm();
  Result<Expression> ParseKeywordTerm();
  Result<Expression> ParseCall();
  Result<Expression> ParseGroup();
  Result<Expression> ParseCollection(Form form, std::string_view close);
  Result<Expression> ParseTuple();
};

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_TERM_PARSER_H_
