// Capacity units, computed anew from the items that an operation met.
#ifndef STATOR_TESTS_ORACLE_UNITS_H_
#define STATOR_TESTS_ORACLE_UNITS_H_

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "stator/operations.h"
#include "tests/oracle/schema.h"
#include "tests/oracle/value.h"

namespace stator::oracle {

struct Units {
  double table = 0;
  // Only the indexes that were touched.
  std::map<std::string, double> global;
  std::map<std::string, double> local;

  double Total() const;
  Units& operator+=(const Units& other);
};

// Replacing `before` by `after`; either may be absent.
Units WriteUnits(const Schema& schema, const Attributes* before, const Attributes* after);
// One item, or the sum of a page: full blocks of 4 KB, at least one.
double ReadUnits(std::size_t bytes, bool consistent);
// A page of `bytes`, on the arm of the table or of the index.
Units PageUnits(const IndexSchema* index, std::size_t bytes, bool consistent);

// What is wrong with the answer; empty when nothing is. An index named in `unjudged` may have an
// arm or not.
std::string Difference(const Units& expected, ReturnConsumedCapacity asked,
                       const std::optional<ConsumedCapacity>& answer, const std::string& unjudged);

}  // namespace stator::oracle

#endif  // STATOR_TESTS_ORACLE_UNITS_H_
