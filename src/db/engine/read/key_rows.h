// A key condition that fits a schema, and the rows that it asks for.
#ifndef STATOR_ENGINE_READ_KEY_ROWS_H_
#define STATOR_ENGINE_READ_KEY_ROWS_H_

#include "base/inline_vector.h"
#include "engine/catalog/table.h"
#include "expr/key_condition.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

// The clauses in schema order: an equality for every hash attribute, then a gap-free run of range
// attributes, all but the last by equality. Refers to clauses that live elsewhere.
struct BoundKey {
  InlineVector<const KeyClause*, 4> hash;
  InlineVector<const KeyClause*, 4> range;
};

// The rows of the table, or of the index, that the bound key asks for.
KeyRange RowsOf(const KeyHasher& hasher, const Table& table, const Index* index,
                const BoundKey& key);

// True if the clause's attribute of `item` satisfies it.
bool Satisfies(const KeyClause& clause, ItemView item);

}  // namespace stator

#endif  // STATOR_ENGINE_READ_KEY_ROWS_H_
