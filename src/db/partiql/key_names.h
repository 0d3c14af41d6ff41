// The key of a table or an index, and what a WHERE clause says of it.
#ifndef STATOR_PARTIQL_KEY_NAMES_H_
#define STATOR_PARTIQL_KEY_NAMES_H_

#include <optional>
#include <string>
#include <string_view>

#include "expr/key_condition.h"
#include "stator/item.h"
#include "stator/result.h"

namespace stator {
struct ConditionNode;
}

namespace stator::partiql {

struct KeyName {
  std::string name;
  Type type = Type::kS;
};

struct KeyNames {
  KeyName partition;
  std::optional<KeyName> sort;
};

// The condition as a clause, if it compares an attribute of that name with a constant in a way
// that an index can answer: = < <= > >= BETWEEN begins_with. The constant may be on the left.
std::optional<KeyClause> ClauseOn(std::string_view name, const ConditionNode& condition);

// "Key attribute's data type should match its data type in table's schema: Key {k}"
Result<void> CheckKeyType(const KeyName& key, const KeyClause& clause);

// Bytes in the same order as the scalars of one type.
std::string OrderedBytes(ValueView scalar);

// The sort keys that a clause lets through.
struct SortRange {
  struct Bound {
    std::string bytes;
    bool inclusive = true;
  };
  std::optional<Bound> lower;  // absent: from the first key on
  std::optional<Bound> upper;
};

// All sort keys if there is no clause.
SortRange RangeOf(const std::optional<KeyClause>& clause);

// REQUIRES: ranges of one type.
bool Overlap(const SortRange& a, const SortRange& b);
// Whether `a` begins before `b`.
bool BeginsBefore(const SortRange& a, const SortRange& b);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_KEY_NAMES_H_
