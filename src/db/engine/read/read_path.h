// The read path: which rows a key condition asks for, and one page of a Query or Scan over them.
// Engine::ReadItem, ReadItems and ReadPage read.
#ifndef STATOR_ENGINE_READ_READ_PATH_H_
#define STATOR_ENGINE_READ_READ_PATH_H_

#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/inline_vector.h"
#include "engine/catalog/table.h"
#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/projection.h"
#include "stator/item.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

// A key condition that fits a schema. The clauses are in schema order: an equality for every hash
// attribute, then range attributes without a gap, all but the last by equality. Refers to clauses that
// live elsewhere.
struct BoundKey {
  InlineVector<const KeyClause*, 4> hash;
  InlineVector<const KeyClause*, 4> range;
};

// The rows of the table, or of the index, that the bound key asks for.
KeyRange RowsOf(const KeyHasher& hasher, const Table& table, const Index* index,
                const BoundKey& key);

// Whether the clause's attribute of `item` satisfies it.
bool Satisfies(const KeyClause& clause, ItemView item);

// A page ends with the entry that brings the evaluated bytes to this.
inline constexpr std::size_t kPageBytes = std::size_t{1} << 20;

struct PagePlan {
  TablePtr table;
  const Index* index = nullptr;  // null: the table itself; otherwise one of table->indexes
  KeyRange rows;                 // already narrowed by an ExclusiveStartKey
  Direction direction = Direction::kForward;
  std::optional<std::int64_t> limit;   // entries evaluated, before the filter
  std::size_t max_bytes = kPageBytes;  // less if the page has several ranges: what is left of it
  std::optional<Condition> filter;
  std::optional<Projection> projection;
  bool count_only = false;
  // Whether ItemPage::evaluated_bytes is wanted.
  bool count_bytes = false;
  // For a local index that does not project all that is asked for: reads each item from the table.
  // The filter still sees only the entry.
  bool fetch_from_table = false;
};

struct ItemPage {
  ItemList items;  // empty with count_only
  std::int64_t count = 0;
  std::int64_t scanned_count = 0;
  // Keys of the last evaluated entry if the page ended before the range did.
  std::optional<Item> last_evaluated_key;
  std::size_t evaluated_bytes = 0;  // as DynamoDB counts; only with count_bytes
  // With fetch_from_table: blocks of 4 KB read from the table, rounded up row by row.
  std::int64_t fetched_blocks = 0;
};

}  // namespace stator

#endif  // STATOR_ENGINE_READ_READ_PATH_H_
