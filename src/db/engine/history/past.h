// The past of a table: its items at a time, and what changed between two times.
//
// The past of an item at a time T is what the first history record after T holds; if there is none,
// the item as it is. "After T" means after the last record whose time is at most T, so the past is
// always a state that really existed, even if the clock was turned back.
//
// The past is read from a checkpoint, which outlasts restarts, trimming and the table itself, in
// slices of bounded work and memory:
//
//   store.MakeCheckpoint(id, PastRows(table.number));
//   const std::unique_ptr<Checkpoint> source = *store.OpenCheckpoint(id);
//   PastItems items(*source, table.number, at);
//   while (*items.Step([&](std::string_view key, ItemView item) { …; return true; })) {}
#ifndef STATOR_ENGINE_HISTORY_PAST_H_
#define STATOR_ENGINE_HISTORY_PAST_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/table.h"
#include "engine/history/history.h"
#include "stator/item.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// What a checkpoint must have of a table so that its past can be read: the items and their history.
std::vector<KeyRange> PastRows(TableNumber table);

// Where in a table's history the past of each item is found. Reads the log from its end back to a
// time, and keeps for each key the numbers of the records that matter. It takes the keys in ascending
// stretches, each as large as memory allows; each stretch costs another walk through the log.
class UndoMap {
 public:
  static constexpr std::size_t kMemoryBytes = std::size_t{32} << 20;

  // Numbers of records; 0 if there is none.
  struct Entry {
    std::uint64_t after = 0;   // the first after `to`: holds the item as it was at `to`
    std::uint64_t within = 0;  // the first after `from` and up to `to`: the item at `from`
    std::uint64_t any = 0;     // some record of the key that holds an item
    TimeMs last_within{};      // when the item last changed in between
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  UndoMap(const Checkpoint& source, TableNumber table, TimeMs from, TimeMs to,
          std::size_t memory_bytes);

  // Begins the stretch of keys that starts at `begin`.
  void Begin(std::string begin);
  // Reads a slice of the log; false when the stretch is loaded.
  Result<bool> Load();
  bool is_loaded() const { return is_loaded_; }

  const Entries& entries() const { return entries_; }
  // The first key after the stretch; empty if it is the last one.
  const std::string& end() const { return end_; }

  // Calls `use` with the record of this number.
  Result<void> Read(std::uint64_t number,
                    const std::function<void(const HistoryRecord&)>& use) const;

 private:
  bool Take(std::uint64_t number, const HistoryRecord& record);
  void Shrink();

  const Checkpoint& source_;
  const TableNumber table_;
  const TimeMs from_;
  const TimeMs to_;
  const std::size_t memory_bytes_;

  std::string begin_;
  std::string end_;
  Entries entries_;
  std::size_t used_bytes_ = 0;
  std::string log_end_;      // the records from this row on have been read
  bool is_past_to_ = false;  // a record at or before `to` has been read
  bool is_loaded_ = false;
};

// The items of a table as they were at a time, each once, in the order of their rows.
class PastItems {
 public:
  // `source` must outlive it and hold the table's history back to `at`; without a time the items are
  // those of `source`. `cursor` is empty, or where an earlier walk stopped.
  PastItems(const Checkpoint& source, TableNumber table, std::optional<TimeMs> at,
            std::string cursor = {}, std::size_t memory_bytes = UndoMap::kMemoryBytes);

  // `key` is what follows the prefix of the item's row. Return false to end the slice after this item.
  using Visit = std::function<bool(std::string_view key, ItemView item)>;
  // Does a slice of the work: visits some items, or none. False when all have been visited.
  Result<bool> Step(const Visit& visit);

  // Where the next slice begins. Another walk over the same source may begin there too.
  const std::string& cursor() const { return cursor_; }

 private:
  // Visits the past items with keys before `end` (empty: all) that have history.
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
    std::optional<ItemView> before;  // at `from`; absent: it did not exist
    std::optional<ItemView> after;   // at `to`
    // Some state of the item, for its key attributes. There is one even if the item was created and
    // deleted in between.
    ItemView any;
    TimeMs time;  // of its last change in between
  };

  // As PastItems. REQUIRES: from ≤ to.
  PastChanges(const Checkpoint& source, TableNumber table, TimeMs from, TimeMs to,
              std::string cursor = {}, std::size_t memory_bytes = UndoMap::kMemoryBytes);

  // Return false to end the slice after this change.
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

#endif  // STATOR_ENGINE_HISTORY_PAST_H_
