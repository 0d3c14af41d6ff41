// Expressions of HCL.
//
//   expression := operation ('?' expression ':' expression)?
//   operation  := unary (('||' | '&&' | '==' | '!=' | '<=' | '>=' | '<' | '>' | '+' | '-' | '*' |
//                 '/' | '%') unary)*
//   unary      := ('!' | '-')* term
//   term       := (number | string | heredoc | name | call | '(' expression ')' | tuple | object |
//                 for) ('.' name | '.' digits | '.*' | '[' expression ']' | '[*]')*
//   call       := name ('::' name)* '(' (expression (',' expression)* (',' | '...')?)? ')'
//   tuple      := '[' (expression (',' expression)* ','?)? ']'
//   object     := '{' (expression ('=' | ':') expression (',' | newline)…)* '}'
//   for        := '[' 'for' name (',' name)? 'in' expression ':' expression ('if' expression)? ']'
//               | '{' … ':' expression '=>' expression '...'? ('if' expression)? '}'
//   string     := '"' (character | escape | '${' expression '}' | '%{' directive '}')* '"'
//   heredoc    := '<<' '-'? name newline lines name
#ifndef STATOR_MODEL_HCL_HCL_EXPRESSION_H_
#define STATOR_MODEL_HCL_HCL_EXPRESSION_H_

#include "model/hcl/hcl_cursor.h"

namespace stator::model {

class HclExpressions {
 public:
  explicit HclExpressions(HclCursor& cursor) : cursor_(cursor) {}

  // Each leaves the cursor behind what it took. False: the cursor has the error.
  bool ParseExpression();
  // REQUIRES: the cursor is at a quotation mark.
  bool ParseString();

 private:
  bool ParseOperation();
  bool ParseUnary();
  bool ParseTerm();
  bool ParseOperand();
  bool ParseSteps();
  bool ParseNumber();
  bool ParseNameOrCall();
  bool ParseArguments();
  bool ParseParentheses();
  bool ParseTuple();
  bool ParseObject();
  bool ParseObjectItems();
  bool ParseFor(char close);
  bool ParseHeredoc();
  bool ParseTemplatePart();
  bool TakeOperator();

  // Blanks, and newlines while inside brackets.
  void SkipSpace();

  HclCursor& cursor_;
  int depth_ = 0;
  int brackets_ = 0;
};

}  // namespace stator::model

#endif  // STATOR_MODEL_HCL_HCL_EXPRESSION_H_
