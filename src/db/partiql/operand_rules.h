// What is said of operators' and functions' operands before any item is seen.
#ifndef STATOR_PARTIQL_OPERAND_RULES_H_
#define STATOR_PARTIQL_OPERAND_RULES_H_

#include <cstddef>
#include <expected>
#include <optional>
#include <string_view>

#include "expr/condition_node.h"
#include "stator/result.h"

namespace stator::partiql {

Comparator ComparatorOf(std::string_view text);
// The type that IS tests an attribute for; nothing for words that no attribute's type has.
std::optional<Type> TestedType(std::string_view word);

// "Incorrect number of operands for operator or function; …"
std::unexpected<Error> WrongOperandCount(std::string_view function, std::size_t count);
// "Incorrect operand type for operator or function; …"
std::unexpected<Error> WrongOperandType(std::string_view operation, std::string_view type);
// "Operator or function requires a document path; …"
std::unexpected<Error> PathRequired(std::string_view function);

// The type that an operand has whatever the item is.
std::optional<Type> StaticType(const Operand& operand);

// Operands of < <= > >= and BETWEEN.
Result<void> CheckOrdered(const ConditionNode& test, std::string_view operation);
// The bounds of a BETWEEN: one type, and in order.
Result<void> CheckBounds(const ConditionNode& between);
// Comparators, contains and begins_with do not compare a path with itself.
Result<void> CheckDistinct(const ConditionNode& test, std::string_view operation);
Result<void> CheckBeginsWith(const ConditionNode& test);
// What size() is asked of.
Result<void> CheckSized(const Operand& operand);
// The type that the second operand of attribute_type names.
Result<Type> NamedType(const Operand& operand);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_OPERAND_RULES_H_
