// The shape of an expression as parsed from its text, before any name or value is looked up.
#ifndef STATOR_EXPR_SYNTAX_H_
#define STATOR_EXPR_SYNTAX_H_

#include <cstddef>
#include <cstdint>
#include <span>
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

struct SyntaxNode;

// The children of a node in written order, chained from one to the next.
class SyntaxChildren {
 public:
  class Iterator {
   public:
    explicit Iterator(const SyntaxNode* node) : node_(node) {}
    const SyntaxNode& operator*() const { return *node_; }
    inline Iterator& operator++();
    bool operator==(const Iterator&) const = default;

   private:
    const SyntaxNode* node_;
  };

  std::size_t size() const { return size_; }
  Iterator begin() const { return Iterator(first_); }
  Iterator end() const { return Iterator(nullptr); }
  const SyntaxNode& front() const { return *first_; }
  const SyntaxNode& back() const { return *last_; }
  // REQUIRES: `child` has no parent yet.
  inline void push_back(SyntaxNode* child);

 private:
  SyntaxNode* first_ = nullptr;
  SyntaxNode* last_ = nullptr;
  std::size_t size_ = 0;
};

struct SyntaxNode {
  SyntaxKind kind;
  // Of a function: it is used as a condition, not as an operand.
  bool as_condition = false;
  // As written: a value placeholder, a function's name, a comparator. Keywords in capitals.
  std::string_view text;
  // Of a path: its steps, which are identifiers, name placeholders and digits, and symbols between
  // them.
  std::span<const Token> tokens;
  SyntaxChildren children;
  SyntaxNode* next_sibling = nullptr;
};

SyntaxChildren::Iterator& SyntaxChildren::Iterator::operator++() {
  node_ = node_->next_sibling;
  return *this;
}

void SyntaxChildren::push_back(SyntaxNode* child) {
  (first_ == nullptr ? first_ : last_->next_sibling) = child;
  last_ = child;
  ++size_;
}

// Owns the nodes and the tokens they refer to. Paths, values and functions are in `nodes` in
// written order. May be moved, which keeps the addresses of nodes and tokens, but not copied.
struct SyntaxTree {
  std::vector<Token> tokens;
  std::vector<SyntaxNode> nodes;
  const SyntaxNode* root = nullptr;

  std::size_t PositionOf(const SyntaxNode& node) const {
    return static_cast<std::size_t>(&node - nodes.data());
  }
};

}  // namespace stator

#endif  // STATOR_EXPR_SYNTAX_H_
