// From the text of an update expression to its checked form.
//
//   update  := section+
//   section := SET set (',' set)*        set    := path '=' value
//            | REMOVE path (',' path)*
//            | ADD pair (',' pair)*      pair   := path value-placeholder
//            | DELETE pair (',' pair)*
//   value   := operand | operand ('+' | '-') operand | '(' value ')'
//
// Operands as in operand_parser.h.
#ifndef STATOR_EXPR_UPDATE_PARSER_H_
#define STATOR_EXPR_UPDATE_PARSER_H_

#include <string_view>

#include "expr/placeholders.h"
#include "expr/update.h"
#include "stator/result.h"

namespace stator {

// Checks, in this order: the size of the text, the syntax, redundant parentheses, reserved words,
// unknown functions, repeated sections, the number of operators, undefined names, undefined values,
// overlapping and conflicting targets, the operands of ADD and DELETE, the operands of functions
// and arithmetic.
Result<UpdateProgram> ParseUpdateProgram(std::string_view text, Placeholders& placeholders);

}  // namespace stator

#endif  // STATOR_EXPR_UPDATE_PARSER_H_
