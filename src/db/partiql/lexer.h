// Splits a statement into tokens, and knows the words that have a meaning of their own in PartiQL.
//
//   identifier := [A-Za-z_$][A-Za-z0-9_$]*        quoted := '"' ( any | '""' )* '"'
//   string     := "'" ( any | "''" )* "'"         number := ( digits ['.' digits?] | '.' digits ) exponent?
//   blank      := TAB | LF | VT | FF | CR | ' ' | '--' to the end of the line | '/*' … '*/'
//
// A sign is not part of a number.
#ifndef STATOR_PARTIQL_LEXER_H_
#define STATOR_PARTIQL_LEXER_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "partiql/refusal.h"
#include "stator/result.h"

namespace stator::partiql {

enum class TokenKind : std::uint8_t {
  kIdentifier,  // as written
  kQuoted,      // an identifier without its quotes
  kKeyword,     // in lower case
  kOperator,    // in lower case if it is a word; "!=" is "<>"
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

// The last token is kEnd. A text that cannot be split into tokens is refused without detail.
Result<std::vector<Token>> Tokenize(std::string_view text);

// ASCII letters in lower case.
std::string Lower(std::string_view word);

// Keywords that name functions when a '(' follows.
bool IsFunctionKeyword(std::string_view keyword);

// Words that IS accepts, aliases replaced ("bool" is "boolean"); empty for all others.
std::string_view TypeWord(std::string_view word);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_LEXER_H_
