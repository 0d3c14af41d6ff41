// The grammar of update expressions.
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
#include <vector>

#include "expr/syntax.h"
#include "expr/update.h"
#include "stator/result.h"

namespace stator {

struct UpdateSyntax {
  struct Clause {
    Update::Action action;
    const SyntaxNode* target;
    const SyntaxNode* value;  // null for REMOVE
  };
  SyntaxTree tree;                       // owns the nodes
  std::vector<Update::Action> sections;  // in written order, repeated ones too
  std::vector<Clause> clauses;           // in written order
};

// Errors: the text's size, the syntax, redundant parentheses. The result refers to `text`.
Result<UpdateSyntax> ParseUpdateSyntax(std::string_view text);

// "SET", "REMOVE", "ADD", "DELETE"
std::string_view SectionName(Update::Action action);

}  // namespace stator

#endif  // STATOR_EXPR_UPDATE_PARSER_H_
