#include "partiql/operand_rules.h"

#include <fmt/format.h>

#include <string>

#include "partiql/refusal.h"
#include "value/item_codec.h"
#include "value/item_json.h"

namespace stator::partiql {
namespace {

bool IsOrdered(Type type) { return type == Type::kS || type == Type::kN || type == Type::kB; }

}  // namespace

Comparator ComparatorOf(std::string_view text) {
  if (text == "=") return Comparator::kEq;
  if (text == "<>") return Comparator::kNe;
  if (text == "<") return Comparator::kLt;
  if (text == "<=") return Comparator::kLe;
  return text == ">" ? Comparator::kGt : Comparator::kGe;
}

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

std::unexpected<Error> WrongOperandCount(std::string_view function, std::size_t count) {
  return Refused(
      fmt::format("Incorrect number of operands for operator or function; operator or function: "
                  "{}, number of operands: {}",
                  function, count));
}

std::unexpected<Error> WrongOperandType(std::string_view operation, std::string_view type) {
  return Refused(
      fmt::format("Incorrect operand type for operator or function; operator or function: {}, "
                  "operand type: {}",
                  operation, type));
}

std::unexpected<Error> PathRequired(std::string_view function) {
  return Refused(fmt::format(
      "Operator or function requires a document path; operator or function: {}", function));
}

std::optional<Type> StaticType(const Operand& operand) {
  if (operand.is_size) return Type::kN;
  if (const AttributeValue* constant = operand.constant()) return constant->type();
  return std::nullopt;
}

Result<void> CheckOrdered(const ConditionNode& test, std::string_view operation) {
  for (const Operand& operand : test.operands) {
    const std::optional<Type> type = StaticType(operand);
    if (type && !IsOrdered(*type)) return WrongOperandType(operation, TypeName(*type));
  }
  return {};
}

Result<void> CheckBounds(const ConditionNode& between) {
  const AttributeValue* lower = between.operands[1].constant();
  const AttributeValue* upper = between.operands[2].constant();
  if (lower == nullptr || upper == nullptr) return {};
  const bool one_type = lower->type() == upper->type();
  if (one_type && CompareScalars(lower->view(), upper->view()) <= 0) return {};
  return Refused(fmt::format(
      "The BETWEEN operator requires {}; lower bound operand: AttributeValue: {}, upper "
      "bound operand: AttributeValue: {}",
      one_type ? "upper bound to be greater than or equal to lower bound"
               : "same data type for lower and upper bounds",
      DebugText(lower->view()), DebugText(upper->view())));
}

Result<void> CheckDistinct(const ConditionNode& test, std::string_view operation) {
  const Path* first = test.operands[0].path();
  const Path* second = test.operands[1].path();
  if (first == nullptr || second == nullptr || *first != *second) return {};
  return Refused(fmt::format(
      "The first operand must be distinct from the remaining operands for this operator or "
      "function; operator: {}, first operand: {}",
      operation, PathText(*first)));
}

Result<void> CheckBeginsWith(const ConditionNode& test) {
  for (const Operand& operand : test.operands) {
    const std::optional<Type> type = StaticType(operand);
    if (type && *type != Type::kS && *type != Type::kB) {
      return WrongOperandType("begins_with", TypeName(*type));
    }
  }
  return {};
}

Result<void> CheckSized(const Operand& operand) {
  const std::optional<Type> type = StaticType(operand);
  if (type != Type::kN && type != Type::kBool && type != Type::kNull) return {};
  return WrongOperandType("size", TypeName(*type));
}

Result<Type> NamedType(const Operand& operand) {
  const std::optional<Type> type = StaticType(operand);
  if (type != Type::kS) {
    return WrongOperandType("attribute_type",
                            type ? TypeName(*type) : "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
  }
  const std::string_view name = operand.constant()->view().S();
  for (int t = 0; t <= static_cast<int>(Type::kM); ++t) {
    if (TypeName(static_cast<Type>(t)) == name) return static_cast<Type>(t);
  }
  return Refused(fmt::format(
      "Invalid attribute type name found; type: {}, valid types: {{N,BS,L,B,NULL,M,S,SS,NS,BOOL}}",
      name));
}

}  // namespace stator::partiql
