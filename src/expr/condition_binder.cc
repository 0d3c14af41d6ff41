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

  Result<ConditionNode> Bind(const SyntaxNode& node) {
    switch (node.kind) {
      case SyntaxKind::kAnd:
        return BindJoined(node, Kind::kAnd);
      case SyntaxKind::kOr:
        return BindJoined(node, Kind::kOr);
      case SyntaxKind::kNot:
        return BindJoined(node, Kind::kNot);
      case SyntaxKind::kCompare:
        return BindCompare(node);
      case SyntaxKind::kBetween:
        return BindTest(node, Kind::kBetween);
      case SyntaxKind::kIn:
        return BindTest(node, Kind::kIn);
      default:
        return BindFunction(node);
    }
  }

 private:
  Result<ConditionNode> BindJoined(const SyntaxNode& node, Kind kind) {
    ConditionNode joined{.kind = kind};
    joined.children.reserve(node.children.size());
    for (const SyntaxNode* child : node.children) {
      ASSIGN_OR_RETURN(joined.children.emplace_back(), Bind(*child));
    }
    return joined;
  }

  Result<ConditionNode> BindCompare(const SyntaxNode& node) {
    ASSIGN_OR_RETURN(ConditionNode test, BindTest(node, Kind::kCompare));
    test.comparator = ComparatorOf(node.text);
    return test;
  }

  Result<ConditionNode> BindFunction(const SyntaxNode& node) {
    ASSIGN_OR_RETURN(ConditionNode test, BindTest(node, FindConditionFunction(node.text)->kind));
    if (test.kind == Kind::kHasType) {
      ASSIGN_OR_RETURN(test.type, TypeOperand(test.operands[1], kind_));
    }
    return test;
  }

  // A node with operands, checked.
  Result<ConditionNode> BindTest(const SyntaxNode& node, Kind kind) {
    ConditionNode test{.kind = kind};
    test.operands.reserve(node.children.size());
    for (const SyntaxNode* child : node.children) {
      ASSIGN_OR_RETURN(test.operands.emplace_back(), BindOperand(*child));
    }
    RETURN_IF_ERROR(CheckOperands(node, test, kind_));
    return test;
  }

  // A wrong number of arguments of size() is found later; here every name and value is looked up.
  Result<Operand> BindOperand(const SyntaxNode& node) {
    if (node.kind == SyntaxKind::kPath) {
      ASSIGN_OR_RETURN(Path path, BindPath(node, kind_, placeholders_));
      return Operand{.source = std::move(path)};
    }
    if (node.kind == SyntaxKind::kValue) {
      ASSIGN_OR_RETURN(const AttributeValue* value, BindValue(node, kind_, placeholders_));
      return Operand{.source = *value};
    }
    ASSIGN_OR_RETURN(Operand operand, BindOperand(*node.children.front()));
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      RETURN_IF_ERROR(BindOperand(*node.children[i]));
    }
    operand.is_size = true;
    return operand;
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
  return Binder(kind, placeholders).Bind(*tree.root);
}

}  // namespace stator
