// How many rows there are of something, and how large they are.
#ifndef STATOR_ENGINE_CATALOG_ROW_COUNTS_H_
#define STATOR_ENGINE_CATALOG_ROW_COUNTS_H_

#include <atomic>
#include <cstdint>

namespace stator {

// Live counts, shared by all snapshots of what they count; only the writer changes them.
struct RowCounts {
  std::atomic<std::int64_t> items{0};
  std::atomic<std::int64_t> bytes{0};
};

// How the counts change when the write is committed.
struct CountChange {
  RowCounts* counts;
  std::int64_t items;
  std::int64_t bytes;
};

}  // namespace stator

#endif  // STATOR_ENGINE_CATALOG_ROW_COUNTS_H_
