#include "engine/history/history.h"

#include <algorithm>

#include "engine/catalog/row_key.h"
#include "engine/history/history_record.h"
#include "engine/write/write_path.h"

namespace stator {

void AppendHistory(const ItemChange& change, WriteBatch& batch) {
  batch.Append(HistoryLog(change.table.number),
               EncodeHistoryRecord({.time = change.now,
                                    .key = change.row_key.substr(kRowPrefixBytes),
                                    .old = change.before}));
}

// Clients send whole seconds, so the bounds are whole seconds that they can send: the second in
// which recovery was enabled counts.
RestorableTimes RestorableTimesOf(const PointInTimeRecovery& recovery, TimeMs now) {
  const TimeMs enabled{std::chrono::milliseconds(recovery.enabled_ms)};
  const TimeMs oldest = now - std::chrono::days(recovery.days);
  const TimeMs earliest = std::chrono::floor<std::chrono::seconds>(std::max(enabled, oldest));
  return {earliest, std::max<TimeMs>(earliest, std::chrono::floor<std::chrono::seconds>(now))};
}

}  // namespace stator
