// What the parsers make of an expression's text: its shape, before any name or value is looked up.
#ifndef STATOR_EXPR_SYNTAX_H_
#define STATOR_EXPR_SYNTAX_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "expr/lexer.h"

namespace stator {

enum class SyntaxKind : std::uint8_t {
  kPath,
  kValue,
  kFunction,
  kCompare,     // two children
  kBetween,     // three children
  kIn,          // the left side, then the list
  kAnd,         // two or more children
  kOr,          // two or more children
  kNot,         // one child
  kArithmetic,  // two children
};

struct SyntaxNode {
  SyntaxKind kind;
  std::size_t position;  // in the tree's nodes
  // As written: a value placeholder, a function's name, a comparator. Keywords in capitals.
  std::string_view text;
  // Of a path: identifiers, name placeholders and digits.
  std::vector<Token> steps;
  std::vector<SyntaxNode*> children;
  // Of a function: it stands where a condition is wanted, not an operand.
  bool as_condition = false;
};

// Owns the nodes. Paths, values and functions stand in `nodes` in written order.
struct SyntaxTree {
  std::deque<SyntaxNode> nodes;
  SyntaxNode* root = nullptr;
};

}  // namespace stator

#endif  // STATOR_EXPR_SYNTAX_H_
