// What can be said of operands before any item is seen. Expressions and PartiQL share these rules;
// each puts the reasons into errors of its own.
#ifndef STATOR_EXPR_OPERAND_RULES_H_
#define STATOR_EXPR_OPERAND_RULES_H_

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "expr/condition.h"
#include "expr/update.h"

namespace stator {

// REQUIRES: one of = <> < <= > >=
Comparator ComparatorOf(std::string_view symbol);

// The type of the operand if it is the same for every item.
std::optional<Type> StaticType(const Operand& operand);
std::optional<Type> StaticType(const UpdateOperand& operand);

// Reasons: "Incorrect number of operands for operator or function; …",
// "Incorrect operand type for operator or function; …",
// "Operator or function requires a document path; …".
std::string WrongOperandCount(std::string_view function, std::size_t count);
std::string WrongOperandType(std::string_view operation, std::string_view type);
std::string PathRequired(std::string_view function);

// Whether a condition, or an update, knows a function of this name; size() is one of conditions.
bool IsConditionFunction(std::string_view name);
bool IsUpdateFunction(std::string_view name);
// Reasons: a function that `expression` ("a condition", "an update") does not know, because only
// the other one does or because nobody does; one that stands where it must not.
std::string ForeignFunction(std::string_view function, std::string_view expression);
std::string MisusedFunction(std::string_view function);

// The reason why operands are refused, or nothing.
using OperandProblem = std::optional<std::string>;

// Operands of < <= > >= and BETWEEN.
OperandProblem OrderProblem(const ConditionNode& test, std::string_view operation);
// The bounds of a BETWEEN must have one type and be in order.
OperandProblem BoundsProblem(const ConditionNode& between);
// No test but attribute_exists and its negation compares a path with itself.
OperandProblem DistinctProblem(const ConditionNode& test, std::string_view operation);
OperandProblem BeginsWithProblem(const ConditionNode& test);
// How many candidates an IN has.
OperandProblem InCountProblem(std::size_t candidates);
// The type of the argument of size().
OperandProblem SizeProblem(std::optional<Type> argument);

// The type that the second operand of attribute_type names, or the reason why it names none.
// `valid_types` is the list in that reason.
std::expected<Type, std::string> NamedType(const Operand& operand, std::string_view valid_types);

}  // namespace stator

#endif  // STATOR_EXPR_OPERAND_RULES_H_
