// Words that have a meaning of their own in PartiQL.
#ifndef STATOR_PARTIQL_KEYWORDS_H_
#define STATOR_PARTIQL_KEYWORDS_H_

#include <string_view>

#include "partiql/lexer.h"

namespace stator::partiql {

// What an unquoted word is; `lower` is the word in small letters.
TokenKind WordKind(std::string_view lower);

// Keywords that name functions when a '(' follows.
bool IsFunctionKeyword(std::string_view keyword);

// Words that IS accepts, aliases replaced ("bool" is "boolean"); empty for all others.
std::string_view TypeWord(std::string_view word);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_KEYWORDS_H_
