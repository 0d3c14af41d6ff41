#include "engine/history/history_trim.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/history/history_record.h"
#include "engine/write/index_build.h"

namespace stator {
namespace {

constexpr int kRecordsPerSlice = 5'000;
// The earliest restorable time is a whole second that may begin before the oldest record.
constexpr std::chrono::seconds kMargin{2};

// The table of the first record from `begin` on.
Result<std::optional<TableNumber>> FirstTable(const Store& store, const std::string& begin) {
  std::optional<TableNumber> table;
  const std::string space(1, kHistorySpace);
  const auto visit = [&](std::string_view row_key, std::string_view) {
    TableNumber number = 0;
    for (const char byte : row_key.substr(1, sizeof(TableNumber))) {
      number = number << 8 | static_cast<unsigned char>(byte);
    }
    table = number;
    return false;
  };
  const StorageResult<void> scanned =
      store.Scan({begin, PrefixEnd(space)}, Direction::kForward, visit);
  if (!scanned) return std::unexpected(FromStorage(scanned.error()));
  return table;
}

}  // namespace

Result<void> ClearHistory(Store& store, TableNumber table) {
  const KeyRange rows = HistoryRows(table);
  ASSIGN_OR_RETURN(const std::optional<TableNumber> first, FirstTable(store, rows.begin));
  // Most tables never had one.
  if (first != table) return {};
  return ClearRows(store, rows);
}

Result<bool> HistoryTrim::Step(TimeMs now) {
  if (!looked_for_stray_) {
    RETURN_IF_ERROR(ClearStray());
    looked_for_stray_ = true;
  }
  bool has_more = false;
  has_work_ = false;
  for (const std::string& name : catalog_.Names()) {
    const TablePtr table = catalog_.Find(name);
    if (!table || !table->recovery) continue;
    has_work_ = true;
    const TimeMs before = now - std::chrono::days(table->recovery->days) - kMargin;
    const auto oldest = oldest_.find(table->number);
    if (oldest != oldest_.end() && oldest->second >= before) continue;
    ASSIGN_OR_RETURN(const bool more, Trim(table->number, before));
    has_more = has_more || more;
  }
  return has_more;
}

Result<bool> HistoryTrim::Trim(TableNumber table, TimeMs before) {
  std::string first;  // rows: of the first record, and of the first that stays
  std::string kept;
  std::optional<TimeMs> oldest;
  int records = 0;
  bool is_damaged = false;
  const auto visit = [&](std::string_view row_key, std::string_view value) {
    const std::optional<HistoryRecord> record = DecodeHistoryRecord(value);
    is_damaged = !record;
    if (is_damaged) return false;
    if (first.empty()) first = row_key;
    kept = row_key;
    oldest = record->time;
    return record->time < before && ++records <= kRecordsPerSlice;
  };
  const KeyRange rows = HistoryRows(table);
  const StorageResult<void> scanned = store_.Scan(rows, Direction::kForward, visit);
  if (!scanned) return std::unexpected(FromStorage(scanned.error()));
  if (is_damaged) {
    return std::unexpected(Error::InternalServerError(
        fmt::format("the history of table number {} is damaged", table)));
  }
  if (!oldest) return false;
  if (kept != first) RETURN_IF_ERROR(ClearRows(store_, {rows.begin, kept}));
  oldest_[table] = *oldest;
  return records > kRecordsPerSlice;
}

Result<void> HistoryTrim::Clear(TableNumber table) {
  oldest_.erase(table);
  return ClearHistory(store_, table);
}

Result<void> HistoryTrim::ClearStray() {
  std::string begin(1, kHistorySpace);
  for (;;) {
    ASSIGN_OR_RETURN(const std::optional<TableNumber> number, FirstTable(store_, begin));
    if (!number) return {};
    const TablePtr table = catalog_.FindByNumber(*number);
    if (!table || !table->recovery) RETURN_IF_ERROR(Clear(*number));
    begin = HistoryRows(*number).end;
  }
}

}  // namespace stator
