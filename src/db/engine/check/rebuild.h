// Makes a sound database of the rows that could be saved from a damaged one.
#ifndef STATOR_ENGINE_CHECK_REBUILD_H_
#define STATOR_ENGINE_CHECK_REBUILD_H_

#include <cstdint>

#include "base/clock.h"
#include "engine/check/row_check.h"
#include "engine/check/stored_catalog.h"
#include "storage/store.h"

namespace stator {

struct Rebuilt {
  Findings lost;  // what could not be saved, and what was changed because of that
  std::uint64_t tables = 0;
  std::uint64_t items = 0;
  std::uint64_t entries = 0;
  std::uint64_t records = 0;
};

// Copies the rows into an empty store. Items must be well formed and belong to a known table; indexes
// and expiry rows are computed again from the items; of a log with a gap what follows the last gap
// is kept. If `is_incomplete`, changes may be missing from the histories: they begin again at `now`.
StorageResult<Rebuilt> RebuildRows(const Checkpoint& rows, bool is_incomplete, TimeMs now,
                                   Store& into, const RowProgress& progress);

}  // namespace stator

#endif  // STATOR_ENGINE_CHECK_REBUILD_H_
