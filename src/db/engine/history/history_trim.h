// HistoryTrim: forgets the history that nobody can be restored to any more.
#ifndef STATOR_ENGINE_HISTORY_HISTORY_TRIM_H_
#define STATOR_ENGINE_HISTORY_HISTORY_TRIM_H_

#include <map>

#include "base/clock.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// Removes all records of a table. REQUIRES: no writer adds to them any more.
Result<void> ClearHistory(Store& store, TableNumber table);

// Runs on the background thread.
class HistoryTrim {
 public:
  HistoryTrim(Store& store, const Catalog& catalog) : store_(store), catalog_(catalog) {}

  // Removes a slice of old records of each table; true while there are more. A log keeps its newest
  // record, which holds its count.
  Result<bool> Step(TimeMs now);
  // Whether a table has a history that grows old.
  bool HasWork() const { return has_work_; }

  // As ClearHistory.
  Result<void> Clear(TableNumber table);

 private:
  Result<bool> Trim(TableNumber table, TimeMs before);
  // Histories of tables that have no recovery: a crash came between disabling and clearing.
  Result<void> ClearStray();

  Store& store_;
  const Catalog& catalog_;
  bool looked_for_stray_ = false;
  bool has_work_ = false;
  std::map<TableNumber, TimeMs> oldest_;  // when the oldest record was made, where that is known
};

}  // namespace stator

#endif  // STATOR_ENGINE_HISTORY_HISTORY_TRIM_H_
