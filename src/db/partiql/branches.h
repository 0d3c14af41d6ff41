// The alternatives of a WHERE clause, as far as they differ in what they say of the key.
#ifndef STATOR_PARTIQL_BRANCHES_H_
#define STATOR_PARTIQL_BRANCHES_H_

#include <vector>

#include "expr/condition.h"
#include "partiql/key_names.h"
#include "stator/result.h"

namespace stator::partiql {

// Everything in a branch must hold. Pointers refer to the WHERE clause.
struct Branch {
  struct SortTest {
    KeyClause clause;
    ConditionNode condition;  // the same as a condition
  };
  std::vector<KeyClause> partitions;  // equalities
  std::vector<SortTest> sorts;
  std::vector<const ConditionNode*> others;
  bool negates_sort = false;  // one of the others is a negated condition on the sort key
};

// Whether every way to satisfy the condition fixes the partition key.
bool PinsPartition(const ConditionNode& where, const KeyNames& keys);

// An OR is split if it mentions the key, an IN if it tests a key attribute. "Too many
// decomposed read operations for a given query." REQUIRES: PinsPartition(where, keys).
Result<std::vector<Branch>> SplitIntoBranches(const ConditionNode& where, const KeyNames& keys);

}  // namespace stator::partiql

#endif  // STATOR_PARTIQL_BRANCHES_H_
