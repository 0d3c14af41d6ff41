// UndoMap: where in a table's history the past of each item is to be found.
#ifndef STATOR_ENGINE_HISTORY_UNDO_MAP_H_
#define STATOR_ENGINE_HISTORY_UNDO_MAP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/catalog/table.h"
#include "engine/history/history_record.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// Reads the log from its end back to a time, and keeps for each key the numbers of the records that
// matter. Keys are taken in ascending stretches, as many as fit into memory; each stretch costs
// another walk through the log.
class UndoMap {
 public:
  static constexpr std::size_t kMemoryBytes = std::size_t{32} << 20;

  // Numbers of records; 0: there is none.
  struct Entry {
    std::uint64_t after = 0;   // the first after `to`: it holds the item at `to`
    std::uint64_t within = 0;  // the first after `from` and up to `to`: the item at `from`
    std::uint64_t any = 0;     // one of these that holds an item
    TimeMs last_within{};      // when the item last changed in between
  };
  using Entries = std::map<std::string, Entry, std::less<>>;

  UndoMap(const Checkpoint& source, TableNumber table, TimeMs from, TimeMs to,
          std::size_t memory_bytes);

  // Begins the stretch of keys from `begin` on; without history there is nothing to load.
  void Begin(std::string begin);
  // Reads a slice of the log; false when the stretch is loaded.
  Result<bool> Load();
  bool is_loaded() const { return is_loaded_; }

  const Entries& entries() const { return entries_; }
  // The first key behind the stretch; empty when there is none.
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
  std::string log_end_;      // records from here on have been read
  bool is_past_to_ = false;  // records that are still to be read are at most of the time `to`
  bool is_loaded_ = false;
};

}  // namespace stator

#endif  // STATOR_ENGINE_HISTORY_UNDO_MAP_H_
