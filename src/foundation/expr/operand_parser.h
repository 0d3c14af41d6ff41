// The part of the grammar that conditions and updates share.
//
//   path     := name ('.' name | '[' digits ']')*      name := identifier | name placeholder
//   function := identifier '(' operand (',' operand)* ')'
//   operand  := path | value placeholder | function | '(' operand ')'
#ifndef STATOR_EXPR_OPERAND_PARSER_H_
#define STATOR_EXPR_OPERAND_PARSER_H_

#include <cstddef>
#include <span>
#include <string_view>

#include "expr/lexer.h"
#include "expr/placeholders.h"
#include "expr/syntax.h"
#include "stator/result.h"

namespace stator {

// The Parse… functions return null when the grammar does not allow the token at the cursor, and
// leave the cursor there.
class OperandParser {
 public:
  // `keywords`, in capitals, cannot be names in this grammar. They must outlive the parser.
  // The tree refers to `text`.
  OperandParser(std::string_view text, std::span<const std::string_view> keywords);

 protected:
  SyntaxNode* ParsePath();
  SyntaxNode* ParseValue();
  SyntaxNode* ParseOperand();

  // Takes the ')' that closes the '(' at `open`. False if the cursor is not at a ')'.
  bool CloseGroup(std::size_t open);
  // Bounds the recursion: every nested construct calls Enter and Leave. False when the text nests
  // deeper than any accepted expression can.
  bool Enter();
  void Leave() { --depth_; }

  SyntaxNode* New(SyntaxKind kind, std::string_view text = {});
  bool AtName() const;

  // The syntax error at the cursor if not all was parsed; else redundant parentheses.
  Result<void> Finish(ExpressionKind kind, bool parsed) const;

  SyntaxTree tree_;
  TokenCursor cursor_;

 private:
  SyntaxNode* ParseFunction();
  // The steps behind the first name of a path. False if there is a mistake in them.
  bool ParseMoreSteps(SyntaxNode& path);
  bool AtKeyword() const;

  std::span<const std::string_view> keywords_;
  int depth_ = 0;
  bool too_deep_ = false;
  bool redundant_parentheses_ = false;
  std::size_t last_open_ = 0;  // the group closed last; none when both are 0
  std::size_t last_close_ = 0;
};

}  // namespace stator

#endif  // STATOR_EXPR_OPERAND_PARSER_H_
