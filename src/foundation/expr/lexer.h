// One lexer for all expression grammars, and the cursor that parsers move over its tokens.
//
//   blank   := space | tab | CR | LF                       between tokens, never needed
//   token   := letter (letter | digit | '_')*              identifier; keywords are identifiers too
//            | '#' (letter | digit | '_')+                 name placeholder
//            | ':' (letter | digit | '_')+                 value placeholder
//            | digit+                                      list index
//            | '<>' | '<=' | '>=' | any other character    symbol
#ifndef STATOR_EXPR_LEXER_H_
#define STATOR_EXPR_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stator {

enum class TokenKind : std::uint8_t { kIdentifier, kName, kValue, kDigits, kSymbol, kEnd };

// `text` is a part of the expression; for kEnd it is the empty part behind the last token.
struct Token {
  TokenKind kind;
  std::string_view text;
};

// The tokens of `text`, of which the last is always kEnd.
std::vector<Token> Tokenize(std::string_view text);

// `Syntax error; token: "…", near: "…"` for a token that the grammar does not allow. The second
// part is the original text from the token before it to the token behind it.
std::string SyntaxErrorReason(std::span<const Token> tokens, std::size_t at);

// Whether DynamoDB refuses the identifier as a bare attribute name, in any case: "Name" and "NAME"
// are both reserved.
bool IsReservedWord(std::string_view identifier);

// Whether the whole text is a placeholder with this sign, which is '#' or ':'.
bool IsPlaceholder(std::string_view text, char sign);

// A position in the tokens of one expression. Parsers move it forward and, when no grammar rule
// fits, leave it at the token that is not allowed.
class TokenCursor {
 public:
  // The last token is kEnd. They must outlive the cursor.
  explicit TokenCursor(std::span<const Token> tokens) : tokens_(tokens) {}

  const Token& peek() const { return tokens_[at_]; }
  std::size_t position() const { return at_; }
  bool AtEnd() const { return peek().kind == TokenKind::kEnd; }
  bool At(TokenKind kind) const { return peek().kind == kind; }
  bool AtSymbol(char symbol) const { return IsSymbol(peek(), symbol); }
  // Whether the next token is this symbol.
  bool SymbolFollows(char symbol) const { return !AtEnd() && IsSymbol(tokens_[at_ + 1], symbol); }
  // `keyword` in capitals; the text may spell it in any case.
  bool AtKeyword(std::string_view keyword) const {
    return At(TokenKind::kIdentifier) && peek().text.size() == keyword.size() && Spells(keyword);
  }
  // The tokens from `first`, which was taken, up to the current one.
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

#endif  // STATOR_EXPR_LEXER_H_
