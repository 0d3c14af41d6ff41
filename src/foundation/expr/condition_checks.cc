#include "expr/condition_checks.h"

#include <fmt/format.h>

#include <array>

#include "base/try.h"
#include "expr/binding.h"
#include "expr/expression_text.h"
#include "value/item_codec.h"
#include "value/item_json.h"

namespace stator {
namespace {

using Kind = ConditionNode::Kind;

bool IsOrdered(Type type) { return type == Type::kS || type == Type::kN || type == Type::kB; }

// The type that an operand has whatever the item is.
std::optional<Type> StaticType(const Operand& operand) {
  if (operand.is_size) return Type::kN;
  if (const AttributeValue* constant = operand.constant()) return constant->type();
  return std::nullopt;
}

Result<void> CheckSizeCounts(const SyntaxNode& node, ExpressionKind kind) {
  for (const SyntaxNode& child : node.children) {
    if (child.kind != SyntaxKind::kFunction) continue;
    RETURN_IF_ERROR(CheckSizeCounts(child, kind));
    if (child.children.size() != 1) return OperandCountError(kind, child);
  }
  return {};
}

Result<void> CheckCounts(const SyntaxNode& node, Kind test, ExpressionKind kind) {
  RETURN_IF_ERROR(CheckSizeCounts(node, kind));
  if (test == Kind::kIn && node.children.size() - 1 > kMaxInOperands) {
    return ExpressionError(kind, fmt::format("The IN operator is provided with too many operands; "
                                             "number of operands: {}",
                                             node.children.size() - 1));
  }
  if (node.kind != SyntaxKind::kFunction) return {};
  const std::size_t wanted = test == Kind::kExists || test == Kind::kNotExists ? 1 : 2;
  if (node.children.size() != wanted) return OperandCountError(kind, node);
  return {};
}

Result<void> CheckDistinct(const SyntaxNode& node, const ConditionNode& test, ExpressionKind kind) {
  if (test.kind != Kind::kCompare && test.kind != Kind::kContains &&
      test.kind != Kind::kBeginsWith) {
    return {};
  }
  const Path* first = test.operands[0].path();
  const Path* second = test.operands[1].path();
  if (first == nullptr || second == nullptr || *first != *second) return {};
  return ExpressionError(
      kind, fmt::format("The first operand must be distinct from the remaining operands for this "
                        "operator or function; operator: {}, first operand: {}",
                        node.text, PathText(*first)));
}

// `size` is a call of size(); `operand` is what stands innermost.
Result<void> CheckSizeType(const SyntaxNode& size, const Operand& operand, ExpressionKind kind) {
  const SyntaxNode& argument = size.children.front();
  if (argument.kind == SyntaxKind::kFunction) {
    RETURN_IF_ERROR(CheckSizeType(argument, operand, kind));
    return OperandTypeError(kind, "size", TypeName(Type::kN));
  }
  const AttributeValue* constant = std::get_if<AttributeValue>(&operand.source);
  if (constant == nullptr) return {};
  const Type type = constant->type();
  if (type != Type::kN && type != Type::kBool && type != Type::kNull) return {};
  return OperandTypeError(kind, "size", TypeName(type));
}

Result<void> CheckOrderedOperands(const SyntaxNode& node, const ConditionNode& test,
                                  ExpressionKind kind) {
  for (const Operand& operand : test.operands) {
    const std::optional<Type> type = StaticType(operand);
    if (type && !IsOrdered(*type)) return OperandTypeError(kind, node.text, TypeName(*type));
  }
  return {};
}

Result<void> CheckBounds(const ConditionNode& test, ExpressionKind kind) {
  const AttributeValue* lower = test.operands[1].constant();
  const AttributeValue* upper = test.operands[2].constant();
  if (lower == nullptr || upper == nullptr) return {};
  const auto refused = [&](std::string_view rule) {
    return ExpressionError(
        kind,
        fmt::format("The BETWEEN operator requires {}; lower bound operand: AttributeValue: {}, "
                    "upper bound operand: AttributeValue: {}",
                    rule, DebugText(lower->view()), DebugText(upper->view())));
  };
  if (lower->type() != upper->type()) return refused("same data type for lower and upper bounds");
  if (CompareScalars(lower->view(), upper->view()) > 0) {
    return refused("upper bound to be greater than or equal to lower bound");
  }
  return {};
}

Result<void> CheckBeginsWithTypes(const ConditionNode& test, ExpressionKind kind) {
  for (const Operand& operand : test.operands) {
    const std::optional<Type> type = StaticType(operand);
    if (type && *type != Type::kS && *type != Type::kB) {
      return OperandTypeError(kind, "begins_with", TypeName(*type));
    }
  }
  return {};
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
      if (test.operands[0].path() == nullptr) return PathRequiredError(kind, node.text);
      return {};
    case Kind::kCompare:
      if (node.text == "=" || node.text == "<>") return {};
      return CheckOrderedOperands(node, test, kind);
    case Kind::kBetween:
      RETURN_IF_ERROR(CheckOrderedOperands(node, test, kind));
      return CheckBounds(test, kind);
    case Kind::kBeginsWith:
      return CheckBeginsWithTypes(test, kind);
    default:
      return {};
  }
}

}  // namespace

Result<void> CheckOperands(const SyntaxNode& node, const ConditionNode& test, ExpressionKind kind) {
  RETURN_IF_ERROR(CheckCounts(node, test.kind, kind));
  RETURN_IF_ERROR(CheckDistinct(node, test, kind));
  return CheckTypes(node, test, kind);
}

Result<Type> TypeOperand(const Operand& operand, ExpressionKind kind) {
  const std::optional<Type> type = StaticType(operand);
  if (type != Type::kS) {
    return OperandTypeError(kind, "attribute_type",
                            type ? TypeName(*type) : "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
  }
  const std::string_view name = operand.constant()->view().S();
  for (int t = 0; t <= static_cast<int>(Type::kM); ++t) {
    if (TypeName(static_cast<Type>(t)) == name) return static_cast<Type>(t);
  }
  return ExpressionError(kind,
                         fmt::format("Invalid attribute type name found; type: {}, valid types: "
                                     "{{B,NULL,SS,BOOL,L,BS,N,NS,S,M}}",
                                     name));
}

}  // namespace stator
