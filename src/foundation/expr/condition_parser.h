// From the text of a condition, a filter or a key condition to its checked form.
//
//   or         := and (OR and)*
//   and        := not (AND not)*
//   not        := NOT not | condition
//   condition  := operand comparator operand
//               | operand BETWEEN operand AND operand
//               | operand IN '(' operand (',' operand)* ')'
//               | function
//               | '(' or ')'
//   comparator := '=' | '<>' | '<' | '<=' | '>' | '>='
//
// Operands as in operand_parser.h. The grammar does not say which functions are conditions and
// which are operands.
#ifndef STATOR_EXPR_CONDITION_PARSER_H_
#define STATOR_EXPR_CONDITION_PARSER_H_

#include <string_view>

#include "expr/condition.h"
#include "expr/placeholders.h"
#include "stator/result.h"

namespace stator {

// Checks, in this order: the size of the text, the syntax, redundant parentheses, unknown
// functions, misused functions, reserved words, the number of operators; then condition by
// condition from the left: undefined names and values, operand counts, distinct operands, operand
// types.
Result<ConditionNode> ParseConditionNode(std::string_view text, ExpressionKind kind,
                                         Placeholders& placeholders);

}  // namespace stator

#endif  // STATOR_EXPR_CONDITION_PARSER_H_
