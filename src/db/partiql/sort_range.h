// The sort keys that a clause lets through.
#ifndef STATOR_PARTIQL_SORT_RANGE_H_
#define STATOR_PARTIQL_SORT_RANGE_H_

#include <optional>
#include <string>

#include "expr/key_condition.h"
#include "stator/item.h"

namespace stator::partiql {

// Bytes that order like the scalars they come from, within one type.
std::string OrderedBytes(ValueView scalar);

struct SortRange {
  struct Bound {
    std::string bytes;
    bool inclusive = true;
  };
  std::optional<Bound> lower;  // absent: from the first on
  std::optional<Bound> upper;
};

// Everything when there is no clause.
SortRange RangeOf(const std::optional<KeyClause>& clause);

// REQUIRES: ranges of one type.
bool Overlap(const SortRange& a, const SortRange& b);
// Whether `a` begins before `b`.
bool BeginsBefore(const SortRange& a, const SortRange& b);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_SORT_RANGE_H_
