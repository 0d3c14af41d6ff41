// One record of a table's history: an item as it was before a change.
//
//   0x05 table:u32 number:u64   →   record
//   record := time_ms:u64 key_bytes:u16 key old
//   key    := hash:16 sort-part*        what follows the prefix of the item's row (engine/row_key.h)
//   old    := 0x00                      there was none
//           | 0x01 item
//
// Integers are big-endian. The records of a table are a log (storage/store.h): their numbers have
// no gaps and their order is that of the changes.
#ifndef STATOR_ENGINE_HISTORY_HISTORY_RECORD_H_
#define STATOR_ENGINE_HISTORY_HISTORY_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/catalog/table.h"
#include "stator/item.h"
#include "storage/store.h"

namespace stator {

struct HistoryRecord {
  TimeMs time{};
  std::string_view key;
  std::optional<ItemView> old;  // absent: there was none
};

std::string EncodeHistoryRecord(const HistoryRecord& record);
// Absent if the bytes are damaged. Refers to `bytes`.
std::optional<HistoryRecord> DecodeHistoryRecord(std::string_view bytes);

// The name of the table's log, and where its records lie.
std::string HistoryLog(TableNumber table);
KeyRange HistoryRows(TableNumber table);
// The number of a record by its row. REQUIRES: the row lies in HistoryRows.
std::uint64_t HistoryNumber(std::string_view row_key);

}  // namespace stator

#endif  // STATOR_ENGINE_HISTORY_HISTORY_RECORD_H_
