// What the analysis of a WHERE clause knows of a table or an index: its key.
#ifndef STATOR_PARTIQL_KEY_NAMES_H_
#define STATOR_PARTIQL_KEY_NAMES_H_

#include <optional>
#include <string>

#include "expr/condition_node.h"
#include "expr/key_condition.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator::partiql {

struct KeyName {
  std::string name;
  Type type = Type::kS;
};

struct KeyNames {
  KeyName partition;
  std::optional<KeyName> sort;
};

// The clause that a condition is, if it compares an attribute of that name with a constant in a way
// that an index can answer: = < <= > >= BETWEEN begins_with. Constants may stand on the left.
std::optional<KeyClause> ClauseOn(std::string_view name, const ConditionNode& condition);

// "Key attribute's data type should match its data type in table's schema: Key {k}"
Result<void> CheckKeyType(const KeyName& key, const KeyClause& clause);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_KEY_NAMES_H_
