// One lexer for all expression grammars.
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

// `text` is a part of the expression; for kEnd the empty part behind its last token.
struct Token {
  TokenKind kind;
  std::string_view text;
};

// The tokens of `text`, of which the last is always kEnd.
std::vector<Token> Tokenize(std::string_view text);

// `Syntax error; token: "…", near: "…"` for the token that cannot stand where it stands. The window
// is the original text from the token before it to the token behind it.
std::string SyntaxErrorReason(std::span<const Token> tokens, std::size_t at);

}  // namespace stator

#endif  // STATOR_EXPR_LEXER_H_
