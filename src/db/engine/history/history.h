// The history of a table: what each change replaced, so that the past can be read again (past.h).
//
// Every change of a table with recovery appends the item as it was before to the table's log:
//
//   0x05 table:u32 number:u64   →   record
//   record := time_ms:u64 key_bytes:u16 key old
//   key    := hash:16 sort-part*        what follows the prefix of the item's row (catalog/row_key.h)
//   old    := 0x00                      the item did not exist
//           | 0x01 item
//
// Integers are big-endian. The numbers of the records have no gaps, and their order is that of the
// changes (WriteBatch::Append).
#ifndef STATOR_ENGINE_HISTORY_HISTORY_H_
#define STATOR_ENGINE_HISTORY_HISTORY_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "stator/item.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

struct ItemChange;

struct HistoryRecord {
  TimeMs time{};
  std::string_view key;
  std::optional<ItemView> old;  // absent: the item did not exist
};

std::string EncodeHistoryRecord(const HistoryRecord& record);
// Nullopt if the bytes are damaged. Refers to `bytes`.
std::optional<HistoryRecord> DecodeHistoryRecord(std::string_view bytes);

// The name of the table's log, and the rows of its records.
std::string HistoryLog(TableNumber table);
KeyRange HistoryRows(TableNumber table);
// The number of a record by its row. REQUIRES: the row lies in HistoryRows.
std::uint64_t HistoryNumber(std::string_view row_key);

// Appends what the change replaces. REQUIRES: the table has recovery.
void AppendHistory(const ItemChange& change, WriteBatch& batch);

// The times to which a table with recovery can be restored, in whole seconds.
struct RestorableTimes {
  TimeMs earliest;
  TimeMs latest;
};
RestorableTimes RestorableTimesOf(const PointInTimeRecovery& recovery, TimeMs now);

// Removes all records of a table that has no recovery. REQUIRES: no writer adds to them any more.
Result<void> ClearHistory(Store& store, const Catalog& catalog, TableNumber number);

// Removes the history that is older than any time to which its table can be restored. Runs on the
// background thread.
class HistoryTrim {
 public:
  HistoryTrim(Store& store, const Catalog& catalog) : store_(store), catalog_(catalog) {}

  // Removes a slice of old records of each table; true while there are more. A log keeps its newest
  // record, which holds the count.
  Result<bool> Step(TimeMs now);
  // Whether any table has a history.
  bool HasWork() const { return has_work_; }

  // As ClearHistory.
  Result<void> Clear(TableNumber table);

 private:
  Result<bool> Trim(TableNumber table, TimeMs before);
  // Clears histories of tables without recovery: a crash came between disabling and clearing.
  Result<void> ClearStray();

  Store& store_;
  const Catalog& catalog_;
  bool looked_for_stray_ = false;
  bool has_work_ = false;
  std::map<TableNumber, TimeMs> oldest_;  // times of the oldest records, as far as they are known
};

}  // namespace stator

#endif  // STATOR_ENGINE_HISTORY_HISTORY_H_
