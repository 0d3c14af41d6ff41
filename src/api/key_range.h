// A Query's key condition matched with a schema: which rows of the partition it asks for.
#ifndef STATOR_API_KEY_RANGE_H_
#define STATOR_API_KEY_RANGE_H_

#include <optional>
#include <vector>

#include "base/wording.h"
#include "engine/table.h"
#include "expr/key_condition.h"
#include "stator/result.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

// The clauses in schema order: an equality for every hash attribute, then a gap-free run of range
// attributes, all but the last by equality.
struct BoundKey {
  std::vector<KeyClause> hash;
  std::vector<KeyClause> range;
};

// Errors of behaviour.md §5.6 that need the schema, in the order of §2.3 Query step 15.
Result<BoundKey> BindKey(const KeySchema& schema, const std::vector<KeyClause>& clauses,
                         Wording wording);

// The rows that the bound key asks for.
KeyRange RowsOf(const KeyHasher& hasher, const Table& table, const Index* index,
                const BoundKey& key);

// True if the clause's attribute of `item` satisfies it.
bool Satisfies(const KeyClause& clause, ItemView item);

}  // namespace stator

#endif  // STATOR_API_KEY_RANGE_H_
