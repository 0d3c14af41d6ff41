// The grammar of PartiQL, as far as DynamoDB's messages show it. A statement is an expression.
//
//   statement   := expression ';'?
//   expression  := or, and, not, then = <> IN IS, then < <= > >= BETWEEN LIKE, then + - ||, then * / %
//   term        := literal | '?' | path | function '(' … ')' | '(' expression ')' | list | bag | tuple
//                | select | insert | update | delete
//   select      := SELECT columns FROM source [WHERE expression] [ORDER BY key [ASC|DESC] , …]
//   insert      := INSERT INTO path VALUE expression [returning]
//   update      := UPDATE path change+ [WHERE expression] [returning]
//                | FROM source [WHERE expression] change+ [returning]
//   change      := SET path '=' expression (',' path '=' expression)* | REMOVE path
//   delete      := DELETE FROM path [WHERE expression] [returning]
//   returning   := RETURNING (ALL|MODIFIED) (OLD|NEW) '*'
#ifndef STATOR_PARTIQL_PARSER_H_
#define STATOR_PARTIQL_PARSER_H_

#include <string_view>

#include "partiql/syntax.h"
#include "stator/result.h"

namespace stator::partiql {

struct ParsedText {
  Expression root;
  std::size_t parameters = 0;  // how many '?' there are
};

// Messages "Statement wasn't well formed, …". The height of the tree is bounded.
Result<ParsedText> Parse(std::string_view text);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_PARSER_H_
