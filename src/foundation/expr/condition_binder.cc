#include "expr/condition_binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "expr/binding.h"
#include "expr/condition_checks.h"
#include "expr/expression_text.h"

namespace stator {
namespace {

using Kind = ConditionNode::Kind;

struct FunctionRule {
  std::string_view name;
  Kind kind;
};
constexpr std::array<FunctionRule, 5> kConditionFunctions = {{
    {"attribute_exists", Kind::kExists},
    {"attribute_not_exists", Kind::kNotExists},
    {"attribute_type", Kind::kHasType},
    {"begins_with", Kind::kBeginsWith},
    {"contains", Kind::kContains},
}};

const FunctionRule* FindConditionFunction(std::string_view name) {
  const auto found = std::ranges::find(kConditionFunctions, name, &FunctionRule::name);
  return found == kConditionFunctions.end() ? nullptr : &*found;
}

Result<void> CheckFunctions(const SyntaxTree& tree, ExpressionKind kind) {
  for (const SyntaxNode& node : tree.nodes) {
    if (node.kind != SyntaxKind::kFunction || node.text == "size") continue;
    if (FindConditionFunction(node.text) == nullptr) {
      return ExpressionError(kind, fmt::format("Invalid function name; function: {}", node.text));
    }
  }
  for (const SyntaxNode& node : tree.nodes) {
    if (node.kind != SyntaxKind::kFunction) continue;
    if (node.as_condition == (node.text == "size")) {
      return ExpressionError(kind,
                             fmt::format("The function is not allowed to be used this way in an "
                                         "expression; function: {}",
                                         node.text));
    }
  }
  return {};
}

Comparator ComparatorOf(std::string_view text) {
  if (text == "=") return Comparator::kEq;
  if (text == "<>") return Comparator::kNe;
  if (text == "<") return Comparator::kLt;
  if (text == "<=") return Comparator::kLe;
  return text == ">" ? Comparator::kGt : Comparator::kGe;
}

class Binder {
 public:
  Binder(ExpressionKind kind, Placeholders& placeholders)
      : kind_(kind), placeholders_(placeholders) {}

  // Fills `bound`, which is empty before.
  Result<void> Bind(const SyntaxNode& node, ConditionNode& bound) {
    switch (node.kind) {
      case SyntaxKind::kAnd:
        return BindJoined(node, Kind::kAnd, bound);
      case SyntaxKind::kOr:
        return BindJoined(node, Kind::kOr, bound);
      case SyntaxKind::kNot:
        return BindJoined(node, Kind::kNot, bound);
      case SyntaxKind::kCompare:
        bound.comparator = ComparatorOf(node.text);
        return BindTest(node, Kind::kCompare, bound);
      case SyntaxKind::kBetween:
        return BindTest(node, Kind::kBetween, bound);
      case SyntaxKind::kIn:
        return BindTest(node, Kind::kIn, bound);
      default:
        return BindFunction(node, bound);
    }
  }

 private:
  Result<void> BindJoined(const SyntaxNode& node, Kind kind, ConditionNode& joined) {
    joined.kind = kind;
    joined.children.reserve(node.children.size());
    for (const SyntaxNode& child : node.children) {
      RETURN_IF_ERROR(Bind(child, joined.children.emplace_back()));
    }
    return {};
  }

  Result<void> BindFunction(const SyntaxNode& node, ConditionNode& test) {
    RETURN_IF_ERROR(BindTest(node, FindConditionFunction(node.text)->kind, test));
    if (test.kind == Kind::kHasType) {
      ASSIGN_OR_RETURN(test.type, TypeOperand(test.operands[1], kind_));
    }
    return {};
  }

  // A node with operands, checked.
  Result<void> BindTest(const SyntaxNode& node, Kind kind, ConditionNode& test) {
    test.kind = kind;
    test.operands.reserve(node.children.size());
    for (const SyntaxNode& child : node.children) {
      RETURN_IF_ERROR(BindOperand(child, test.operands.emplace_back()));
    }
    return CheckOperands(node, test, kind_);
  }

  Result<void> BindOperand(const SyntaxNode& node, Operand& operand) {
    if (node.kind == SyntaxKind::kPath) {
      return BindPath(node, kind_, placeholders_, operand.source.emplace<Path>());
    }
    if (node.kind == SyntaxKind::kValue) {
      ASSIGN_OR_RETURN(const AttributeValue* value, BindValue(node, kind_, placeholders_));
      operand.source = *value;
      return {};
    }
    // A wrong number of arguments of size() is found later; here every name and value is looked up.
    RETURN_IF_ERROR(BindOperand(node.children.front(), operand));
    operand.is_size = true;
    for (const SyntaxNode& child : node.children) {
      Operand superfluous;
      if (&child != &node.children.front()) RETURN_IF_ERROR(BindOperand(child, superfluous));
    }
    return {};
  }

  ExpressionKind kind_;
  Placeholders& placeholders_;
};

}  // namespace

Result<ConditionNode> BindCondition(const SyntaxTree& tree, ExpressionKind kind,
                                    Placeholders& placeholders) {
  RETURN_IF_ERROR(CheckFunctions(tree, kind));
  RETURN_IF_ERROR(CheckReservedWords(tree, kind));
  RETURN_IF_ERROR(CheckOperatorCount(tree, kind));
  ConditionNode root{};
  RETURN_IF_ERROR(Binder(kind, placeholders).Bind(*tree.root, root));
  return root;
}

}  // namespace stator
