// The history of a table: what each change replaced, so that the past can be seen again.
//
// Every change of a table with recovery leaves the item as it was before in the table's log
// (engine/history_record.h). The past of an item at a time T is what the first record after T kept;
// without one it is the item as it is. "After T" means behind the last record whose time is at most
// T, so the past is always a state that was, even if the clock was turned back.
//
// The past is read from a checkpoint, which outlasts restarts, trimming and the table itself, in
// slices of bounded work and memory:
//
//   store.MakeCheckpoint(id);
//   const std::unique_ptr<Checkpoint> source = *store.OpenCheckpoint(id);
//   PastItems items(*source, table.number, at);
//   while (*items.Step([&](std::string_view key, ItemView item) { …; return true; })) {}
#ifndef STATOR_ENGINE_HISTORY_HISTORY_H_
#define STATOR_ENGINE_HISTORY_HISTORY_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/catalog/table.h"
#include "engine/history/undo_map.h"
#include "stator/item.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

struct ItemChange;

// Keeps what the change replaces. REQUIRES: the table has recovery.
void AppendHistory(const ItemChange& change, WriteBatch& batch);

// When a table with recovery can be restored to, in whole seconds.
struct RestorableTimes {
  TimeMs earliest;
  TimeMs latest;
};
RestorableTimes RestorableTimesOf(const PointInTimeRecovery& recovery, TimeMs now);

// The items of a table as they were at a time, each once, in the order of their rows.
class PastItems {
 public:
  // `source` must outlive it and hold the table's history back to `at`; no time: the items as they
  // are in `source`. `cursor` is empty, or where an earlier walk stopped.
  PastItems(const Checkpoint& source, TableNumber table, std::optional<TimeMs> at,
            std::string cursor = {}, std::size_t memory_bytes = UndoMap::kMemoryBytes);

  // `key` is what follows the prefix of the item's row. Returns false to end the slice behind this
  // item.
  using Visit = std::function<bool(std::string_view key, ItemView item)>;
  // Does a slice of the work: visits some items, or none. False when all have been visited.
  Result<bool> Step(const Visit& visit);

  // Where the next slice goes on: another walk over the same source may begin there.
  const std::string& cursor() const { return cursor_; }

 private:
  // Visits the pasts of keys before `end` (empty: all) that lie between the rows.
  bool VisitUndone(std::string_view end, const Visit& visit, std::optional<Error>& error);
  bool VisitRow(std::string_view key, std::string_view item, const Visit& visit,
                std::optional<Error>& error);

  const Checkpoint& source_;
  const std::string prefix_;  // of the table's rows
  UndoMap undo_;
  std::string cursor_;
};

// The items that changed after `from` and up to `to`, each once, in the order of their rows, as they
// were at both times.
class PastChanges {
 public:
  struct Change {
    std::string_view key;            // what follows the prefix of the item's row
    std::optional<ItemView> before;  // at `from`; absent: there was none
    std::optional<ItemView> after;   // at `to`
    // Some state of the item, for its key attributes: there is one even if it came and went in
    // between.
    ItemView any;
    TimeMs time;  // of its last change in between
  };

  // As PastItems. REQUIRES: from ≤ to.
  PastChanges(const Checkpoint& source, TableNumber table, TimeMs from, TimeMs to,
              std::string cursor = {}, std::size_t memory_bytes = UndoMap::kMemoryBytes);

  // Return false to end the slice behind this change.
  using Visit = std::function<bool(const Change&)>;
  Result<bool> Step(const Visit& visit);
  const std::string& cursor() const { return cursor_; }

 private:
  Result<bool> VisitOne(const std::string& key, const UndoMap::Entry& entry, const Visit& visit);

  const Checkpoint& source_;
  const std::string prefix_;
  UndoMap undo_;
  std::string cursor_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_HISTORY_HISTORY_H_
