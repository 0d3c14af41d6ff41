// One page of a Query or Scan: what to read, and what was found.
#ifndef STATOR_ENGINE_READ_PAGE_H_
#define STATOR_ENGINE_READ_PAGE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "engine/catalog/table.h"
#include "expr/condition.h"
#include "expr/projection.h"
#include "stator/item.h"
#include "storage/store.h"

namespace stator {

// A page ends with the entry that brings the evaluated bytes to this.
inline constexpr std::size_t kPageBytes = std::size_t{1} << 20;

struct PagePlan {
  TablePtr table;
  const Index* index = nullptr;  // null: the table itself; otherwise one of table->indexes
  KeyRange rows;                 // already narrowed by an ExclusiveStartKey
  Direction direction = Direction::kForward;
  std::optional<std::int64_t> limit;   // entries evaluated, before the filter
  std::size_t max_bytes = kPageBytes;  // what is left of a page for one of its several ranges
  std::optional<Condition> filter;
  std::optional<Projection> projection;
  bool count_only = false;
  // Whether ItemPage::evaluated_bytes is asked for.
  bool count_bytes = false;
  // A local index that does not project all that is asked for: each row is completed from the
  // table.
  bool fetch_from_table = false;
  // The filter looks at the entry even so.
  bool filter_sees_entry = false;
};

struct ItemPage {
  ItemList items;  // empty when count_only
  std::int64_t count = 0;
  std::int64_t scanned_count = 0;
  // Keys of the last evaluated entry when the page stopped before the end of the range.
  std::optional<Item> last_evaluated_key;
  std::size_t evaluated_bytes = 0;  // as DynamoDB counts; only with count_bytes
  // fetch_from_table: 4 KB blocks read from the table, rounded up row by row.
  std::int64_t fetched_blocks = 0;
};

}  // namespace stator

#endif  // STATOR_ENGINE_READ_PAGE_H_
