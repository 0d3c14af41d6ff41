// Splits a statement into tokens.
//
//   identifier := [A-Za-z_$][A-Za-z0-9_$]*        quoted := '"' ( any | '""' )* '"'
//   string     := "'" ( any | "''" )* "'"         number := ( digits ['.' digits?] | '.' digits ) exponent?
//   blank      := TAB | LF | VT | FF | CR | ' ' | '--' to the end of the line | '/*' … '*/'
//
// A sign is no part of a number.
#ifndef STATOR_PARTIQL_LEXER_H_
#define STATOR_PARTIQL_LEXER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "partiql/source_place.h"
#include "stator/result.h"

namespace stator::partiql {

enum class TokenKind : std::uint8_t {
  kIdentifier,  // as written
  kQuoted,      // an identifier without its quotes
  kKeyword,     // in small letters
  kOperator,    // in small letters if it is a word; "!=" is "<>"
  kSymbol,      // ( ) [ ] { } << >> : , ; . *
  kWord,        // as, at, by, for, asc, desc: neither names nor keywords
  kString,      // without its quotes
  kNumber,      // as written
  kBoolean,     // "true" or "false"
  kNull,
  kMissing,
  kParameter,
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;
  SourcePlace place;
  std::uint32_t parameter = 0;  // of kParameter: which one, from 0
};

// The last token is kEnd. A text that has no tokens somewhere is refused without detail.
Result<std::vector<Token>> Tokenize(std::string_view text);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_LEXER_H_
