#include "expr/operand_parser.h"

#include <algorithm>

#include "base/check.h"
#include "expr/binding.h"

namespace stator {
namespace {

// An accepted expression has at most 300 operators and functions, each of which may wrap its
// operand in one pair of parentheses, and at most 32 steps in a path. What nests deeper has
// redundant parentheses or too many operators.
constexpr int kMaxDepth = 700;

}  // namespace

OperandParser::OperandParser(std::string_view text, std::span<const std::string_view> keywords)
    : tree_{.tokens = Tokenize(text)}, cursor_(tree_.tokens), keywords_(keywords) {
  // Every node has a token of its own, so that nodes need never move.
  tree_.nodes.reserve(tree_.tokens.size());
}

SyntaxNode* OperandParser::New(SyntaxKind kind, std::string_view text) {
  STATOR_CHECK(tree_.nodes.size() < tree_.nodes.capacity());
  return &tree_.nodes.emplace_back(SyntaxNode{.kind = kind, .text = text});
}

bool OperandParser::AtKeyword() const {
  return std::ranges::any_of(keywords_,
                             [&](std::string_view word) { return cursor_.AtKeyword(word); });
}

bool OperandParser::AtName() const {
  return cursor_.At(TokenKind::kName) || (cursor_.At(TokenKind::kIdentifier) && !AtKeyword());
}

bool OperandParser::Enter() {
  if (++depth_ <= kMaxDepth) return true;
  too_deep_ = true;
  return false;
}

SyntaxNode* OperandParser::ParsePath() {
  if (!AtName()) return nullptr;
  SyntaxNode* path = New(SyntaxKind::kPath);
  path->tokens = {&cursor_.peek(), 1};
  cursor_.Take();
  return ParseMoreSteps(*path) ? path : nullptr;
}

bool OperandParser::ParseMoreSteps(SyntaxNode& path) {
  while (true) {
    if (cursor_.TakeSymbol('.')) {
      if (!AtName()) return false;
      cursor_.Take();
    } else if (cursor_.TakeSymbol('[')) {
      if (!cursor_.At(TokenKind::kDigits)) return false;
      cursor_.Take();
      if (!cursor_.TakeSymbol(']')) return false;
    } else {
      path.tokens = cursor_.Since(path.tokens.data());
      return true;
    }
  }
}

SyntaxNode* OperandParser::ParseValue() {
  if (!cursor_.At(TokenKind::kValue)) return nullptr;
  return New(SyntaxKind::kValue, cursor_.Take());
}

SyntaxNode* OperandParser::ParseOperand() {
  if (cursor_.At(TokenKind::kValue)) return ParseValue();
  if (cursor_.AtSymbol('(')) {
    if (!Enter()) return nullptr;
    const std::size_t open = cursor_.position();
    cursor_.Take();
    SyntaxNode* inner = ParseOperand();
    if (inner == nullptr || !CloseGroup(open)) return nullptr;
    Leave();
    return inner;
  }
  if (AtName() && cursor_.At(TokenKind::kIdentifier) && cursor_.SymbolFollows('(')) {
    return ParseFunction();
  }
  return ParsePath();
}

SyntaxNode* OperandParser::ParseFunction() {
  if (!Enter()) return nullptr;
  SyntaxNode* function = New(SyntaxKind::kFunction, cursor_.Take());
  cursor_.Take();
  do {
    SyntaxNode* argument = ParseOperand();
    if (argument == nullptr) return nullptr;
    function->children.push_back(argument);
  } while (cursor_.TakeSymbol(','));
  if (!cursor_.TakeSymbol(')')) return nullptr;
  Leave();
  return function;
}

bool OperandParser::CloseGroup(std::size_t open) {
  const std::size_t close = cursor_.position();
  if (!cursor_.TakeSymbol(')')) return false;
  if (last_close_ != 0 && last_open_ == open + 1 && last_close_ == close - 1) {
    redundant_parentheses_ = true;
  }
  last_open_ = open;
  last_close_ = close;
  return true;
}

Result<void> OperandParser::Finish(ExpressionKind kind, bool parsed) const {
  if (too_deep_ || (parsed && cursor_.AtEnd() && redundant_parentheses_)) {
    return ExpressionError(kind, "The expression has redundant parentheses;");
  }
  if (!parsed || !cursor_.AtEnd()) return ExpressionError(kind, cursor_.ErrorReason());
  return {};
}

}  // namespace stator
