// Whether the rows of a database agree with each other: every item is well formed and stands in the
// row of its key, every index and the expiry rows are exactly what the items make them, every log is
// without gaps.
#ifndef STATOR_ENGINE_CHECK_ROW_CHECK_H_
#define STATOR_ENGINE_CHECK_ROW_CHECK_H_

#include <cstdint>
#include <functional>

#include "engine/check/stored_catalog.h"
#include "storage/store.h"

namespace stator {

struct RowCheck {
  Findings findings;
  std::uint64_t rows = 0;
  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t entries = 0;  // of indexes
  std::uint64_t records = 0;  // of streams and histories
};

using RowProgress = std::function<void(std::uint64_t rows)>;

// Reads all rows once, in order; those of an index that does not agree with its table once more.
// Indexes that are being built, and tables that are being filled, are left out of the comparison.
StorageResult<RowCheck> CheckRows(const Checkpoint& rows, const RowProgress& progress);

}  // namespace stator

#endif  // STATOR_ENGINE_CHECK_ROW_CHECK_H_
