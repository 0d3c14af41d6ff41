#include "expr/update_parser.h"

#include <array>
#include <optional>
#include <utility>

#include "base/try.h"
#include "expr/expression_text.h"
#include "expr/operand_parser.h"

namespace stator {
namespace {

using Action = Update::Action;

constexpr std::array<std::string_view, 4> kKeywords = {"SET", "REMOVE", "ADD", "DELETE"};
constexpr std::array<Action, 4> kActions = {Action::kSet, Action::kRemove, Action::kAdd,
                                            Action::kDelete};

class UpdateParser : private OperandParser {
 public:
  explicit UpdateParser(std::string_view text) : OperandParser(text, kKeywords) {}

  Result<UpdateSyntax> Parse() && {
    RETURN_IF_ERROR(Finish(ExpressionKind::kUpdate, ParseSections()));
    update_.tree = std::move(tree_);
    return std::move(update_);
  }

 private:
  bool ParseSections() {
    do {
      const std::optional<Action> action = TakeSectionKeyword();
      if (!action || !ParseSection(*action)) return false;
    } while (!cursor_.AtEnd());
    return true;
  }

  std::optional<Action> TakeSectionKeyword() {
    for (const Action action : kActions) {
      if (cursor_.TakeKeyword(SectionName(action))) return action;
    }
    return std::nullopt;
  }

  bool ParseSection(Action action) {
    update_.sections.push_back(action);
    do {
      const SyntaxNode* target = ParsePath();
      if (target == nullptr) return false;
      const SyntaxNode* value = nullptr;
      if (action != Action::kRemove) {
        if (action == Action::kSet && !cursor_.TakeSymbol('=')) return false;
        value = action == Action::kSet ? ParseSetValue() : ParseValue();
        if (value == nullptr) return false;
      }
      update_.clauses.push_back({action, target, value});
    } while (cursor_.TakeSymbol(','));
    return true;
  }

  SyntaxNode* ParseSetValue() {
    SyntaxNode* left = cursor_.AtSymbol('(') ? ParseGroup() : ParseOperand();
    if (left == nullptr || left->kind == SyntaxKind::kArithmetic) return left;
    if (!cursor_.AtSymbol('+') && !cursor_.AtSymbol('-')) return left;
    SyntaxNode* sum = New(SyntaxKind::kArithmetic, cursor_.Take());
    SyntaxNode* right = ParseOperand();
    if (right == nullptr) return nullptr;
    sum->children.push_back(left);
    sum->children.push_back(right);
    return sum;
  }

  // Around a whole value, or around its first operand.
  SyntaxNode* ParseGroup() {
    if (!Enter()) return nullptr;
    const std::size_t open = cursor_.position();
    cursor_.Take();
    SyntaxNode* inner = ParseSetValue();
    if (inner == nullptr || !CloseGroup(open) || !ParseMoreSteps(*inner)) return nullptr;
    Leave();
    return inner;
  }

  UpdateSyntax update_;
};

}  // namespace

std::string_view SectionName(Action action) {
  switch (action) {
    case Action::kSet:
      return "SET";
    case Action::kRemove:
      return "REMOVE";
    case Action::kAdd:
      return "ADD";
    case Action::kDelete:
      return "DELETE";
  }
  return "";
}

Result<UpdateSyntax> ParseUpdateSyntax(std::string_view text) {
  RETURN_IF_ERROR(CheckExpressionText(text, ExpressionKind::kUpdate));
  return UpdateParser(text).Parse();
}

}  // namespace stator
