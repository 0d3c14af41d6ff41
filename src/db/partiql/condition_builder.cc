#include "partiql/condition_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/try.h"
#include "expr/operand_rules.h"
#include "partiql/refusal.h"

namespace stator::partiql {
namespace {

using Kind = ConditionNode::Kind;

// A condition may be used as a value. It is rewritten so that only conditions remain, which repeats
// parts of it: what grows beyond any reasonable statement is refused.
constexpr std::size_t kMaxNodes = 4096;

std::size_t CountNodes(const ConditionNode& node) {
  std::size_t count = 1;
  for (const ConditionNode& child : node.children) count += CountNodes(child);
  return count;
}

ConditionNode Pair(Kind kind, ConditionNode a, ConditionNode b) {
  ConditionNode pair{.kind = kind};
  pair.children.reserve(2);
  pair.children.push_back(std::move(a));
  pair.children.push_back(std::move(b));
  return pair;
}

ConditionNode Equals(const Operand& operand, bool value) {
  ConditionNode test{.kind = Kind::kCompare, .comparator = Comparator::kEq};
  test.operands = {operand, Operand{.source = AttributeValue(value)}};
  return test;
}

ConditionNode Not(ConditionNode condition) {
  ConditionNode negation{.kind = Kind::kNot};
  negation.children.push_back(std::move(condition));
  return negation;
}

// An AND of no conditions holds, and an OR of none does not.
ConditionNode Always() { return {.kind = Kind::kAnd}; }
ConditionNode Never() { return {.kind = Kind::kOr}; }

Result<void> CheckSize(const ConditionNode& condition) {
  if (CountNodes(condition) <= kMaxNodes) return {};
  return Refused("The expression contains too many operators; operator count: 301");
}

// `if_true` where `truth` holds, `if_false` elsewhere.
Result<ConditionNode> Choose(ConditionNode truth, ConditionNode if_true, ConditionNode if_false) {
  RETURN_IF_ERROR(CheckSize(truth));
  ConditionNode positive = Pair(Kind::kAnd, truth, std::move(if_true));
  ConditionNode negative = Pair(Kind::kAnd, Not(std::move(truth)), std::move(if_false));
  ConditionNode chosen = Pair(Kind::kOr, std::move(positive), std::move(negative));
  RETURN_IF_ERROR(CheckSize(chosen));
  return chosen;
}

// Both hold, or neither does.
Result<ConditionNode> SameTruth(ConditionNode a, ConditionNode b) {
  RETURN_IF_ERROR(CheckSize(b));
  ConditionNode opposite = Not(b);
  return Choose(std::move(a), std::move(b), std::move(opposite));
}

// The operand is the BOOL that the condition evaluates to.
Result<ConditionNode> TruthEquals(const ConditionNode& truth, const Operand& operand) {
  if (const AttributeValue* constant = operand.constant()) {
    if (constant->type() != Type::kBool) return Never();
    return constant->view().Bool() ? truth : Not(truth);
  }
  if (operand.is_size) return Never();
  return Choose(truth, Equals(operand, true), Equals(operand, false));
}

// The type that IS tests an attribute for; nothing for words that are not the type of an attribute.
std::optional<Type> TestedType(std::string_view type) {
  if (type == "null") return Type::kNull;
  if (type == "boolean") return Type::kBool;
  if (type == "string") return Type::kS;
  if (type == "blob") return Type::kB;
  if (type == "numeric") return Type::kN;
  if (type == "list") return Type::kL;
  if (type == "struct" || type == "tuple") return Type::kM;
  return std::nullopt;
}

struct Function {
  std::string_view name;
  Kind kind;
  std::size_t operands;
};
constexpr auto kConditionFunctions = std::to_array<Function>({
    {"attribute_exists", Kind::kExists, 1},
    {"attribute_not_exists", Kind::kNotExists, 1},
    {"attribute_type", Kind::kHasType, 2},
    {"begins_with", Kind::kBeginsWith, 2},
    {"contains", Kind::kContains, 2},
});

bool IsSize(const Expression& expression) {
  return expression.form == Form::kCall && expression.text == "size";
}

// Whether it is true or false rather than a value.
bool IsCondition(const Expression& expression) {
  switch (expression.form) {
    case Form::kCompare:
    case Form::kBetween:
    case Form::kIn:
    case Form::kIsType:
    case Form::kNot:
    case Form::kAnd:
    case Form::kOr:
      return true;
    case Form::kCall:
      return !IsSize(expression);
    default:
      return false;
  }
}

class ConditionBuilder {
 public:
  explicit ConditionBuilder(Parameters parameters) : parameters_(parameters) {}

  Result<ConditionNode> Build(const Expression& expression) {
    switch (expression.form) {
      case Form::kAnd:
        return Joined(expression, Kind::kAnd);
      case Form::kOr:
        return Joined(expression, Kind::kOr);
      case Form::kNot:
        return Joined(expression, Kind::kNot);
      case Form::kCompare:
        return Compare(expression);
      case Form::kBetween:
        return Between(expression);
      case Form::kIn:
        return In(expression);
      case Form::kIsType:
        return IsType(expression);
      case Form::kCall:
        return Call(expression);
      default:
        return UnsupportedOperation(expression);
    }
  }

 private:
  Result<ConditionNode> Joined(const Expression& expression, Kind kind) {
    ConditionNode joined{.kind = kind};
    joined.children.reserve(expression.children.size());
    for (const Expression& child : expression.children) {
      ASSIGN_OR_RETURN(joined.children.emplace_back(), Build(child));
    }
    return joined;
  }

  // A path, a value or a size.
  Result<Operand> BuildOperand(const Expression& expression) {
    if (expression.form == Form::kPath || expression.form == Form::kBadPath) {
      ASSIGN_OR_RETURN(Path path, BuildPath(expression));
      return Operand{.source = std::move(path)};
    }
    if (IsValue(expression)) {
      ASSIGN_OR_RETURN(AttributeValue value, BuildValue(expression, parameters_));
      return Operand{.source = std::move(value)};
    }
    if (!IsSize(expression)) return UnsupportedOperation(expression);
    if (expression.children.size() != 1) {
      return Refused(WrongOperandCount("size", expression.children.size()));
    }
    if (IsCondition(expression.children.front())) {
      RETURN_IF_ERROR(Build(expression.children.front()));
      return Refused(WrongOperandType("size", TypeName(Type::kBool)));
    }
    ASSIGN_OR_RETURN(Operand operand, BuildOperand(expression.children.front()));
    RETURN_IF_ERROR(RefuseFor(SizeProblem(StaticType(operand))));
    operand.is_size = true;
    return operand;
  }

  Result<ConditionNode> Compare(const Expression& expression) {
    const Expression& left = expression.children[0];
    const Expression& right = expression.children[1];
    const Comparator comparator = ComparatorOf(expression.text);
    const bool is_equality = comparator == Comparator::kEq || comparator == Comparator::kNe;
    if (IsCondition(left) || IsCondition(right)) {
      ASSIGN_OR_RETURN(ConditionNode equal,
                       IsCondition(left) ? Equal(left, right) : Equal(right, left));
      if (!is_equality) return Refused(WrongOperandType(expression.text, TypeName(Type::kBool)));
      return comparator == Comparator::kEq ? std::move(equal) : Not(std::move(equal));
    }
    ConditionNode test{.kind = Kind::kCompare, .comparator = comparator};
    ASSIGN_OR_RETURN(test.operands.emplace_back(), BuildOperand(left));
    ASSIGN_OR_RETURN(test.operands.emplace_back(), BuildOperand(right));
    RETURN_IF_ERROR(RefuseFor(DistinctProblem(test, expression.text)));
    if (!is_equality) {
      RETURN_IF_ERROR(RefuseFor(OrderProblem(test, expression.text)));
    }
    return test;
  }

  // Whether what a condition says equals the other side. REQUIRES: IsCondition(condition).
  Result<ConditionNode> Equal(const Expression& condition, const Expression& other) {
    ASSIGN_OR_RETURN(ConditionNode truth, Build(condition));
    if (IsCondition(other)) {
      ASSIGN_OR_RETURN(ConditionNode other_truth, Build(other));
      return SameTruth(std::move(truth), std::move(other_truth));
    }
    ASSIGN_OR_RETURN(const Operand operand, BuildOperand(other));
    return TruthEquals(truth, operand);
  }

  Result<ConditionNode> Between(const Expression& expression) {
    ConditionNode test{.kind = Kind::kBetween};
    for (const Expression& child : expression.children) {
      if (IsCondition(child)) {
        RETURN_IF_ERROR(Build(child));
        return Refused(WrongOperandType("BETWEEN", TypeName(Type::kBool)));
      }
      ASSIGN_OR_RETURN(test.operands.emplace_back(), BuildOperand(child));
    }
    RETURN_IF_ERROR(RefuseFor(OrderProblem(test, "BETWEEN")));
    RETURN_IF_ERROR(RefuseFor(BoundsProblem(test)));
    return test;
  }

  Result<ConditionNode> In(const Expression& expression) {
    const Expression& value = expression.children[0];
    const Expression& list = expression.children[1];
    if (list.form != Form::kList && list.form != Form::kBag) return UnsupportedOperation(list);
    if (list.children.empty()) return Refused(WrongOperandCount("IN", 1));
    RETURN_IF_ERROR(RefuseFor(InCountProblem(list.children.size())));
    if (IsCondition(value) || std::ranges::any_of(list.children, IsCondition)) {
      return EqualToAny(value, list);
    }
    ConditionNode test{.kind = Kind::kIn};
    test.operands.reserve(list.children.size() + 1);
    ASSIGN_OR_RETURN(test.operands.emplace_back(), BuildOperand(value));
    for (const Expression& candidate : list.children) {
      ASSIGN_OR_RETURN(test.operands.emplace_back(), BuildOperand(candidate));
    }
    return test;
  }

  // IN, when one of its operands is a condition.
  Result<ConditionNode> EqualToAny(const Expression& value, const Expression& list) {
    ConditionNode truth = Always();
    Operand operand;
    if (IsCondition(value)) {
      ASSIGN_OR_RETURN(truth, Build(value));
    } else {
      ASSIGN_OR_RETURN(operand, BuildOperand(value));
    }
    ConditionNode any{.kind = Kind::kOr};
    for (const Expression& candidate : list.children) {
      ConditionNode& equal = any.children.emplace_back();
      if (IsCondition(candidate)) {
        ASSIGN_OR_RETURN(ConditionNode other, Build(candidate));
        ASSIGN_OR_RETURN(equal, IsCondition(value) ? SameTruth(truth, std::move(other))
                                                   : TruthEquals(other, operand));
      } else {
        ASSIGN_OR_RETURN(Operand other, BuildOperand(candidate));
        if (IsCondition(value)) {
          ASSIGN_OR_RETURN(equal, TruthEquals(truth, other));
        } else {
          equal = {.kind = Kind::kCompare, .operands = {operand, std::move(other)}};
        }
      }
      RETURN_IF_ERROR(CheckSize(any));
    }
    return any;
  }

  Result<ConditionNode> IsType(const Expression& expression) {
    const Expression& operand = expression.children.front();
    if (operand.form != Form::kPath) return Refused(PathRequired("IS"));
    ASSIGN_OR_RETURN(Path path, BuildPath(operand));
    ConditionNode test{.kind = Kind::kNotExists};
    test.operands.push_back({.source = std::move(path)});
    if (expression.text == "missing") return test;
    const std::optional<Type> type = TestedType(expression.text);
    if (!type) return Refused(fmt::format("Unsupported data type in IS: {}", expression.text));
    test.kind = Kind::kHasType;
    test.type = *type;
    return test;
  }

  Result<ConditionNode> Call(const Expression& expression) {
    const auto function = std::ranges::find(kConditionFunctions, expression.text, &Function::name);
    if (function == kConditionFunctions.end()) {
      if (!IsSize(expression)) {
        return RefusedAt(fmt::format("Unrecognized function: {}", expression.text),
                         expression.place);
      }
      return Refused(
          "The function is not allowed to be used this way in an expression; function: size");
    }
    const std::size_t count = expression.children.size();
    if (count != function->operands) return Refused(WrongOperandCount(function->name, count));
    if (function->kind == Kind::kContains && IsCondition(expression.children[1])) {
      return ContainsTruth(expression);
    }
    ConditionNode test{.kind = function->kind};
    for (const Expression& child : expression.children) {
      if (IsCondition(child)) {
        RETURN_IF_ERROR(Build(child));
        if (count == 1) return Refused(PathRequired(function->name));
        return Refused(WrongOperandType(function->name, TypeName(Type::kBool)));
      }
      ASSIGN_OR_RETURN(test.operands.emplace_back(), BuildOperand(child));
    }
    return Checked(std::move(test), function->name);
  }

  static Result<ConditionNode> Checked(ConditionNode test, std::string_view name) {
    if (test.operands.size() == 1) {
      if (test.operands[0].path() == nullptr) return Refused(PathRequired(name));
      return test;
    }
    if (test.kind == Kind::kHasType) {
      const std::expected<Type, std::string> type =
          NamedType(test.operands[1], "N,BS,L,B,NULL,M,S,SS,NS,BOOL");
      if (!type) return Refused(type.error());
      test.type = *type;
      return test;
    }
    RETURN_IF_ERROR(RefuseFor(DistinctProblem(test, name)));
    if (test.kind == Kind::kBeginsWith) {
      RETURN_IF_ERROR(RefuseFor(BeginsWithProblem(test)));
    }
    return test;
  }

  // contains(a, condition)
  Result<ConditionNode> ContainsTruth(const Expression& expression) {
    if (IsCondition(expression.children[0])) {
      RETURN_IF_ERROR(Build(expression.children[0]));
      return Refused(WrongOperandType("contains", TypeName(Type::kBool)));
    }
    ASSIGN_OR_RETURN(const Operand whole, BuildOperand(expression.children[0]));
    ASSIGN_OR_RETURN(ConditionNode truth, Build(expression.children[1]));
    const auto contains = [&whole](bool part) {
      ConditionNode test{.kind = Kind::kContains};
      test.operands = {whole, Operand{.source = AttributeValue(part)}};
      return test;
    };
    return Choose(std::move(truth), contains(true), contains(false));
  }

  Parameters parameters_;
};

}  // namespace

Result<ConditionNode> BuildCondition(const Expression& expression, Parameters parameters) {
  return ConditionBuilder(parameters).Build(expression);
}

}  // namespace stator::partiql
