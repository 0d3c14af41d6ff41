// Matches a Query's key condition with the schema of a table or index.
#ifndef STATOR_API_ITEMS_KEY_BINDING_H_
#define STATOR_API_ITEMS_KEY_BINDING_H_

#include <vector>

#include "base/wording.h"
#include "engine/catalog/table.h"
#include "engine/read/read_path.h"
#include "expr/key_condition.h"
#include "stator/result.h"

namespace stator {

// Errors of behaviour.md §5.6 that need the schema, in the order of §2.3 Query step 15. `start` is
// an ExclusiveStartKey of the right shape, or null. The result refers to `clauses`.
Result<BoundKey> BindKey(const KeySchema& schema, const std::vector<KeyClause>& clauses,
                         const Item* start, Wording wording);

// An empty S or B that the clause compares its attribute with.
Result<void> CheckClauseValues(const KeyAttribute& attribute, const KeyClause& clause);

}  // namespace stator

#endif  // STATOR_API_ITEMS_KEY_BINDING_H_
