#include "expr/operand_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "value/item_codec.h"
#include "value/item_json.h"

namespace stator {
namespace {

constexpr std::size_t kMaxInOperands = 100;
constexpr std::array<std::string_view, 6> kConditionFunctionNames = {
    "attribute_exists", "attribute_not_exists",
    "attribute_type",   "begins_with",
    "contains",         "size"};

}  // namespace

Comparator ComparatorOf(std::string_view symbol) {
  if (symbol == "=") return Comparator::kEq;
  if (symbol == "<>") return Comparator::kNe;
  if (symbol == "<") return Comparator::kLt;
  if (symbol == "<=") return Comparator::kLe;
  return symbol == ">" ? Comparator::kGt : Comparator::kGe;
}

std::optional<Type> StaticType(const Operand& operand) {
  if (operand.is_size) return Type::kN;
  if (const AttributeValue* constant = operand.constant()) return constant->type();
  return std::nullopt;
}

std::optional<Type> StaticType(const UpdateOperand& operand) {
  switch (operand.kind) {
    case UpdateOperand::Kind::kPath:
      return std::nullopt;
    case UpdateOperand::Kind::kConstant:
      return operand.constant.type();
    case UpdateOperand::Kind::kIfNotExists:
      return StaticType(operand.arguments.front());
    case UpdateOperand::Kind::kListAppend:
      return Type::kL;
    case UpdateOperand::Kind::kPlus:
    case UpdateOperand::Kind::kMinus:
      return Type::kN;
  }
  return std::nullopt;
}

std::string WrongOperandCount(std::string_view function, std::size_t count) {
  return fmt::format(
      "Incorrect number of operands for operator or function; operator or function: {}, number of "
      "operands: {}",
      function, count);
}

std::string WrongOperandType(std::string_view operation, std::string_view type) {
  return fmt::format(
      "Incorrect operand type for operator or function; operator or function: {}, operand type: {}",
      operation, type);
}

std::string PathRequired(std::string_view function) {
  return fmt::format("Operator or function requires a document path; operator or function: {}",
                     function);
}

bool IsConditionFunction(std::string_view name) {
  return std::ranges::find(kConditionFunctionNames, name) != kConditionFunctionNames.end();
}

bool IsUpdateFunction(std::string_view name) {
  return name == "if_not_exists" || name == "list_append";
}

std::string ForeignFunction(std::string_view function, std::string_view expression) {
  if (!IsConditionFunction(function) && !IsUpdateFunction(function)) {
    return fmt::format("Invalid function name; function: {}", function);
  }
  return fmt::format("The function is not allowed in {} expression; function: {}", expression,
                     function);
}

std::string MisusedFunction(std::string_view function) {
  return fmt::format(
      "The function is not allowed to be used this way in an expression; function: {}", function);
}

OperandProblem OrderProblem(const ConditionNode& test, std::string_view operation) {
  for (const Operand& operand : test.operands) {
    const std::optional<Type> type = StaticType(operand);
    if (type && !IsOrderedType(*type)) return WrongOperandType(operation, TypeName(*type));
  }
  return std::nullopt;
}

OperandProblem BoundsProblem(const ConditionNode& between) {
  const AttributeValue* lower = between.operands[1].constant();
  const AttributeValue* upper = between.operands[2].constant();
  if (lower == nullptr || upper == nullptr) return std::nullopt;
  const bool same_type = lower->type() == upper->type();
  if (same_type && CompareScalars(lower->view(), upper->view()) <= 0) return std::nullopt;
  return fmt::format(
      "The BETWEEN operator requires {}; lower bound operand: AttributeValue: {}, upper bound "
      "operand: AttributeValue: {}",
      same_type ? "upper bound to be greater than or equal to lower bound"
                : "same data type for lower and upper bounds",
      DebugText(lower->view()), DebugText(upper->view()));
}

OperandProblem DistinctProblem(const ConditionNode& test, std::string_view operation) {
  const Path* first = test.operands[0].path();
  const auto is_first = [first](const Operand& operand) {
    const Path* path = operand.path();
    return path != nullptr && *path == *first;
  };
  if (first == nullptr || std::none_of(test.operands.begin() + 1, test.operands.end(), is_first)) {
    return std::nullopt;
  }
  return fmt::format(
      "The first operand must be distinct from the remaining operands for this operator or "
      "function; operator: {}, first operand: {}",
      operation, PathText(*first));
}

OperandProblem BeginsWithProblem(const ConditionNode& test) {
  for (const Operand& operand : test.operands) {
    const std::optional<Type> type = StaticType(operand);
    if (type && *type != Type::kS && *type != Type::kB) {
      return WrongOperandType("begins_with", TypeName(*type));
    }
  }
  return std::nullopt;
}

OperandProblem InCountProblem(std::size_t candidates) {
  if (candidates <= kMaxInOperands) return std::nullopt;
  return fmt::format("The IN operator is provided with too many operands; number of operands: {}",
                     candidates);
}

OperandProblem SizeProblem(std::optional<Type> argument) {
  if (argument != Type::kN && argument != Type::kBool && argument != Type::kNull) {
    return std::nullopt;
  }
  return WrongOperandType("size", TypeName(*argument));
}

std::expected<Type, std::string> NamedType(const Operand& operand, std::string_view valid_types) {
  const std::optional<Type> type = StaticType(operand);
  if (type != Type::kS) {
    return std::unexpected(WrongOperandType(
        "attribute_type", type ? TypeName(*type) : "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"));
  }
  const std::string_view name = operand.constant()->view().S();
  for (int t = 0; t <= static_cast<int>(Type::kM); ++t) {
    if (TypeName(static_cast<Type>(t)) == name) return static_cast<Type>(t);
  }
  return std::unexpected(fmt::format(
      "Invalid attribute type name found; type: {}, valid types: {{{}}}", name, valid_types));
}

}  // namespace stator
