#include "expr/condition_parser.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "expr/expression_text.h"
#include "expr/operand_parser.h"

namespace stator {
namespace {

constexpr std::array<std::string_view, 5> kKeywords = {"AND", "OR", "NOT", "BETWEEN", "IN"};
constexpr std::array<std::string_view, 6> kComparators = {"=", "<>", "<", "<=", ">", ">="};

// Whether the node can stand on a side of a comparison.
bool MayBeOperand(const SyntaxNode& node) {
  return node.kind == SyntaxKind::kPath || node.kind == SyntaxKind::kValue ||
         (node.kind == SyntaxKind::kFunction && !node.as_condition);
}

class ConditionParser : private OperandParser {
 public:
  explicit ConditionParser(std::string_view text) : OperandParser(text, kKeywords) {}

  Result<SyntaxTree> Parse(ExpressionKind kind) && {
    tree_.root = ParseOr(Place::kFree);
    RETURN_IF_ERROR(Finish(kind, tree_.root != nullptr));
    return std::move(tree_);
  }

 private:
  // The first thing behind a '(' may turn out to be an operand in parentheses.
  enum class Place : std::uint8_t { kFree, kGroupStart };

  SyntaxNode* ParseOr(Place place) { return ParseChain(place, SyntaxKind::kOr, "OR"); }

  // One operand alone stays what it is; several become one node.
  SyntaxNode* ParseChain(Place place, SyntaxKind kind, std::string_view keyword) {
    SyntaxNode* first = ParseLink(place, kind);
    if (first == nullptr || !cursor_.AtKeyword(keyword)) return first;
    SyntaxNode* chain = New(kind, keyword);
    chain->children.push_back(first);
    while (cursor_.TakeKeyword(keyword)) {
      SyntaxNode* next = ParseLink(Place::kFree, kind);
      if (next == nullptr) return nullptr;
      chain->children.push_back(next);
    }
    return chain;
  }

  SyntaxNode* ParseLink(Place place, SyntaxKind kind) {
    return kind == SyntaxKind::kOr ? ParseChain(place, SyntaxKind::kAnd, "AND") : ParseNot(place);
  }

  SyntaxNode* ParseNot(Place place) {
    if (!cursor_.TakeKeyword("NOT")) return ParseCondition(place);
    SyntaxNode* negation = New(SyntaxKind::kNot, "NOT");
    SyntaxNode* inner = ParseCondition(Place::kFree);
    if (inner == nullptr) return nullptr;
    negation->children.push_back(inner);
    return negation;
  }

  SyntaxNode* ParseCondition(Place place) {
    SyntaxNode* left = cursor_.AtSymbol('(') ? ParseGroup() : ParseOperand();
    if (left == nullptr || !MayBeOperand(*left)) return left;
    if (cursor_.At(TokenKind::kSymbol) &&
        std::ranges::find(kComparators, cursor_.peek().text) != kComparators.end()) {
      return ParseComparison(left);
    }
    if (cursor_.TakeKeyword("BETWEEN")) return ParseBetween(left);
    if (cursor_.TakeKeyword("IN")) return ParseIn(left);
    if (place == Place::kGroupStart && cursor_.AtSymbol(')')) return left;
    if (left->kind != SyntaxKind::kFunction) return nullptr;
    left->as_condition = true;
    return left;
  }

  SyntaxNode* ParseGroup() {
    if (!Enter()) return nullptr;
    const std::size_t open = cursor_.position();
    cursor_.Take();
    SyntaxNode* inner = ParseOr(Place::kGroupStart);
    if (inner == nullptr || !CloseGroup(open) || !ParseMoreSteps(*inner)) return nullptr;
    Leave();
    return inner;
  }

  SyntaxNode* ParseComparison(SyntaxNode* left) {
    SyntaxNode* comparison = New(SyntaxKind::kCompare, cursor_.Take());
    SyntaxNode* right = ParseOperand();
    if (right == nullptr) return nullptr;
    comparison->children.push_back(left);
    comparison->children.push_back(right);
    return comparison;
  }

  SyntaxNode* ParseBetween(SyntaxNode* left) {
    SyntaxNode* between = New(SyntaxKind::kBetween, "BETWEEN");
    SyntaxNode* lower = ParseOperand();
    if (lower == nullptr || !cursor_.TakeKeyword("AND")) return nullptr;
    SyntaxNode* upper = ParseOperand();
    if (upper == nullptr) return nullptr;
    for (SyntaxNode* child : {left, lower, upper}) between->children.push_back(child);
    return between;
  }

  SyntaxNode* ParseIn(SyntaxNode* left) {
    SyntaxNode* in = New(SyntaxKind::kIn, "IN");
    in->children.push_back(left);
    if (!cursor_.TakeSymbol('(')) return nullptr;
    do {
      SyntaxNode* candidate = ParseOperand();
      if (candidate == nullptr) return nullptr;
      in->children.push_back(candidate);
    } while (cursor_.TakeSymbol(','));
    return cursor_.TakeSymbol(')') ? in : nullptr;
  }
};

}  // namespace

Result<SyntaxTree> ParseConditionSyntax(std::string_view text, ExpressionKind kind) {
  RETURN_IF_ERROR(CheckExpressionText(text, kind));
  return ConditionParser(text).Parse(kind);
}

}  // namespace stator
