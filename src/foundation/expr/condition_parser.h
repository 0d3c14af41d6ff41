// The grammar of conditions, filters and key conditions.
//
//   or         := and (OR and)*
//   and        := not (AND not)*
//   not        := NOT condition | condition
//   condition  := operand comparator operand
//               | operand BETWEEN operand AND operand
//               | operand IN '(' operand (',' operand)* ')'
//               | function
//               | '(' or ')'
//   comparator := '=' | '<>' | '<' | '<=' | '>' | '>='
//
// Operands as in operand_parser.h. Which functions are conditions and which are operands is not a
// matter of the grammar.
#ifndef STATOR_EXPR_CONDITION_PARSER_H_
#define STATOR_EXPR_CONDITION_PARSER_H_

#include <string_view>

#include "expr/placeholders.h"
#include "expr/syntax.h"
#include "stator/result.h"

namespace stator {

// Errors: the text's size, the syntax, redundant parentheses. The tree refers to `text`.
Result<SyntaxTree> ParseConditionSyntax(std::string_view text, ExpressionKind kind);

}  // namespace stator

#endif  // STATOR_EXPR_CONDITION_PARSER_H_
