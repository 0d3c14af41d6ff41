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

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/hcl/hcl_syntax.h"

namespace stator::model {

// A position in HCL text: blanks, comments, newlines and the first error.
class HclCursor {
 public:
  explicit HclCursor(std::string_view text) : text_(text) {}

  bool AtEnd() const { return at_ >= text_.size(); }
  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool StartsWith(std::string_view word) const { return text_.substr(at_).starts_with(word); }
  void Skip(std::size_t count = 1);
  bool Take(char c);
  bool Take(std::string_view word);

  // Spaces, tabs and comments; newlines too where they mean nothing. A comment to the end of the
  // line does not take the newline.
  void SkipBlanks();
  void SkipBlanksAndNewlines();
  // The rest of the line must be blank; takes the newline. True at the end of the text.
  bool TakeNewline();

  // letter (letter | digit | '_' | '-')*; empty if there is none. Bytes beyond ASCII are letters.
  std::string_view TakeIdentifier();
  // Up to the newline, which is taken and not returned.
  std::string_view TakeLine();

  std::uint32_t line() const { return line_; }
  // Keeps the first error. Always false, so that parsers can return it.
  bool Fail(std::string message);
  bool failed() const { return error_.has_value(); }
  std::optional<HclError> error() const { return error_; }
  // "`;`", "the end of the line", "the end of the text"
  std::string HereText() const;

 private:
  bool SkipComment();

  std::string_view text_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::optional<HclError> error_;
};

class HclExpressions {
 public:
  explicit HclExpressions(HclCursor& cursor) : cursor_(cursor) {}

  // Each moves the cursor past what it read. False: the cursor has the error.
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
