#include "expr/condition_parser.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "expr/binding.h"
#include "expr/operand_parser.h"
#include "expr/operand_rules.h"

namespace stator {
namespace {

using Kind = ConditionNode::Kind;

constexpr std::array<std::string_view, 5> kConditionKeywords = {"AND", "OR", "NOT", "BETWEEN",
                                                                "IN"};
constexpr std::array<std::string_view, 6> kComparators = {"=", "<>", "<", "<=", ">", ">="};

// Whether the node can be a side of a comparison.
bool MayBeOperand(const SyntaxNode& node) {
  return node.kind == SyntaxKind::kPath || node.kind == SyntaxKind::kValue ||
         (node.kind == SyntaxKind::kFunction && !node.as_condition);
}

class ConditionParser : private OperandParser {
 public:
  explicit ConditionParser(std::string_view text) : OperandParser(text, kConditionKeywords) {}

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
    SyntaxNode* inner = ParseNot(Place::kFree);
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
    if (inner == nullptr || !CloseGroup(open)) return nullptr;
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

Result<void> CheckSizeCounts(const SyntaxNode& node, ExpressionKind kind) {
  for (const SyntaxNode& child : node.children) {
    if (child.kind != SyntaxKind::kFunction) continue;
    RETURN_IF_ERROR(CheckSizeCounts(child, kind));
    if (child.children.size() != 1)
      return ExpressionError(kind, WrongOperandCount(child.text, child.children.size()));
  }
  return {};
}

Result<void> CheckCounts(const SyntaxNode& node, Kind test, ExpressionKind kind) {
  RETURN_IF_ERROR(CheckSizeCounts(node, kind));
  if (test == Kind::kIn) return RefuseFor(kind, InCountProblem(node.children.size() - 1));
  if (node.kind != SyntaxKind::kFunction) return {};
  const std::size_t wanted = test == Kind::kExists || test == Kind::kNotExists ? 1 : 2;
  if (node.children.size() != wanted)
    return ExpressionError(kind, WrongOperandCount(node.text, node.children.size()));
  return {};
}

// `size` is a call of size(), and `operand` its innermost argument.
Result<void> CheckSizeType(const SyntaxNode& size, const Operand& operand, ExpressionKind kind) {
  const SyntaxNode& argument = size.children.front();
  if (argument.kind == SyntaxKind::kFunction) {
    RETURN_IF_ERROR(CheckSizeType(argument, operand, kind));
    return ExpressionError(kind, WrongOperandType("size", TypeName(Type::kN)));
  }
  const AttributeValue* constant = std::get_if<AttributeValue>(&operand.source);
  if (constant == nullptr) return {};
  return RefuseFor(kind, SizeProblem(constant->type()));
}

Result<void> CheckTypes(const SyntaxNode& node, const ConditionNode& test, ExpressionKind kind) {
  auto child = node.children.begin();
  for (const Operand& operand : test.operands) {
    if (operand.is_size) RETURN_IF_ERROR(CheckSizeType(*child, operand, kind));
    ++child;
  }
  switch (test.kind) {
    case Kind::kExists:
    case Kind::kNotExists:
      if (test.operands[0].path() == nullptr) return ExpressionError(kind, PathRequired(node.text));
      return {};
    case Kind::kCompare:
      if (node.text == "=" || node.text == "<>") return {};
      return RefuseFor(kind, OrderProblem(test, node.text));
    case Kind::kBetween:
      RETURN_IF_ERROR(RefuseFor(kind, OrderProblem(test, node.text)));
      return RefuseFor(kind, BoundsProblem(test));
    case Kind::kBeginsWith:
      return RefuseFor(kind, BeginsWithProblem(test));
    default:
      return {};
  }
}

// Operand counts, distinct operands, operand types, in this order. `test.operands` belong to
// `node.children` one by one.
Result<void> CheckOperands(const SyntaxNode& node, const ConditionNode& test, ExpressionKind kind) {
  RETURN_IF_ERROR(CheckCounts(node, test.kind, kind));
  RETURN_IF_ERROR(RefuseFor(kind, DistinctProblem(test, node.text)));
  return CheckTypes(node, test, kind);
}

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
    if (node.kind != SyntaxKind::kFunction || IsConditionFunction(node.text)) continue;
    return ExpressionError(kind, ForeignFunction(node.text, "a condition"));
  }
  for (const SyntaxNode& node : tree.nodes) {
    if (node.kind != SyntaxKind::kFunction) continue;
    if (node.as_condition == (node.text == "size")) {
      return ExpressionError(kind, MisusedFunction(node.text));
    }
  }
  return {};
}

class ConditionBinder {
 public:
  ConditionBinder(ExpressionKind kind, Placeholders& placeholders)
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
      const std::expected<Type, std::string> type =
          NamedType(test.operands[1], "B,NULL,SS,BOOL,L,BS,N,NS,S,M");
      if (!type) return ExpressionError(kind_, type.error());
      test.type = *type;
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
    // A wrong number of arguments of size() is reported later; first every name and value is looked
    // up.
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

Result<ConditionNode> ParseConditionNode(std::string_view text, ExpressionKind kind,
                                         Placeholders& placeholders) {
  RETURN_IF_ERROR(CheckExpressionText(text, kind));
  ASSIGN_OR_RETURN(const SyntaxTree tree, ConditionParser(text).Parse(kind));
  RETURN_IF_ERROR(CheckFunctions(tree, kind));
  RETURN_IF_ERROR(CheckReservedWords(tree, kind));
  RETURN_IF_ERROR(CheckOperatorCount(tree, kind));
  ConditionNode root{};
  RETURN_IF_ERROR(ConditionBinder(kind, placeholders).Bind(*tree.root, root));
  return root;
}

}  // namespace stator
