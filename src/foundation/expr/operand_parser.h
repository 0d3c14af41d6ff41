// The part of the grammar that conditions and updates share.
//
//   path     := name ('.' name | '[' digits ']')*      name := identifier | name placeholder
//   function := identifier '(' operand (',' operand)* ')'
//   operand  := path | value placeholder | function | '(' operand ')'
//
// A path in parentheses may go on behind them: (a).b[0]
#ifndef STATOR_EXPR_OPERAND_PARSER_H_
#define STATOR_EXPR_OPERAND_PARSER_H_

#include <cstddef>
#include <span>
#include <string_view>

#include "expr/expression_text.h"
#include "expr/syntax.h"
#include "expr/token_cursor.h"

namespace stator {

// Parse… return null when the grammar does not allow the token at the cursor; the cursor then stays
// there.
class OperandParser {
 public:
  // `keywords`, in capitals, cannot be names in this grammar. They must outlive the parser.
  // The tree refers to `text`.
  OperandParser(std::string_view text, std::span<const std::string_view> keywords);

 protected:
  SyntaxNode* ParsePath();
  SyntaxNode* ParseValue();
  SyntaxNode* ParseOperand();

  // The steps that follow a node which may be a path. False if there is a mistake in them.
  bool ParseMoreSteps(SyntaxNode& node);

  // Between a '(' that stands at `open` and the ')' at the cursor, which is taken. False if there
  // is none.
  bool CloseGroup(std::size_t open);
  // Every construct that nests enters and leaves. False when the text nests deeper than any
  // accepted expression can: the depth of recursion stays bounded.
  bool Enter();
  void Leave() { --depth_; }

  SyntaxNode* New(SyntaxKind kind, std::string_view text = {});
  bool AtName() const;

  // What stopped the parser, or what is wrong although the grammar is kept.
  Result<void> Finish(ExpressionKind kind, bool parsed) const;

  SyntaxTree tree_;
  TokenCursor cursor_;

 private:
  SyntaxNode* ParseFunction();
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
