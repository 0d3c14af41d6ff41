#include "engine/history/history.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/store_access.h"
#include "engine/write/write_path.h"
#include "value/item_codec.h"
#include "value/key_codec.h"

namespace stator {
namespace {

constexpr std::size_t kRecordTimeBytes = 8;
constexpr std::size_t kKeyLengthBytes = 2;
constexpr char kNoItem = 0;
constexpr char kItemFollows = 1;

constexpr int kTrimmedRecordsMax = 5'000;  // in one slice
// The earliest restorable time is a whole second, which may begin before the oldest record.
constexpr std::chrono::seconds kMargin{2};

// The table of the first record whose row is `begin` or later.
Result<std::optional<TableNumber>> FirstTable(const Store& store, const std::string& begin) {
  std::optional<TableNumber> table;
  const KeyRange rows{begin, RowsWithPrefix(std::string(1, kHistorySpace)).end};
  RETURN_IF_ERROR(FromStorage(
      store.Scan(rows, Direction::kForward, [&](std::string_view row_key, std::string_view) {
        table = static_cast<TableNumber>(ReadBigEndian(row_key.substr(1, sizeof(TableNumber))));
        return false;
      })));
  return table;
}

}  // namespace

std::string EncodeHistoryRecord(const HistoryRecord& record) {
  std::string bytes;
  bytes.reserve(kRecordTimeBytes + kKeyLengthBytes + record.key.size() + 1 +
                (record.old ? record.old->encoded().size() : 0));
  AppendBigEndian(bytes, static_cast<std::uint64_t>(EpochMs(record.time)), kRecordTimeBytes);
  AppendBigEndian(bytes, record.key.size(), kKeyLengthBytes);
  bytes.append(record.key);
  bytes.push_back(record.old ? kItemFollows : kNoItem);
  if (record.old) bytes.append(record.old->encoded());
  return bytes;
}

std::optional<HistoryRecord> DecodeHistoryRecord(std::string_view bytes) {
  if (bytes.size() < kRecordTimeBytes + kKeyLengthBytes) return std::nullopt;
  HistoryRecord record;
  record.time = TimeFromMs(static_cast<std::int64_t>(TakeBigEndian(bytes, kRecordTimeBytes)));
  const std::size_t key_bytes = TakeBigEndian(bytes, kKeyLengthBytes);
  if (key_bytes < sizeof(Hash128) || bytes.size() < key_bytes + 1) return std::nullopt;
  record.key = bytes.substr(0, key_bytes);
  const char kind = bytes[key_bytes];
  bytes.remove_prefix(key_bytes + 1);
  if (kind == kNoItem && bytes.empty()) return record;
  if (kind != kItemFollows || !IsWellFormedItem(bytes)) return std::nullopt;
  record.old.emplace(bytes);
  return record;
}

std::string HistoryLog(TableNumber table) {
  return kHistorySpace + BigEndian(table, sizeof(table));
}

KeyRange HistoryRows(TableNumber table) { return RowsWithPrefix(HistoryLog(table)); }

std::uint64_t HistoryNumber(std::string_view row_key) {
  return ReadBigEndian(row_key.substr(1 + sizeof(TableNumber)));
}

void AppendHistory(const ItemChange& change, WriteBatch& batch) {
  batch.Append(HistoryLog(change.table.number),
               EncodeHistoryRecord({.time = change.now,
                                    .key = change.row_key.substr(kRowPrefixBytes),
                                    .old = change.before}));
}

// Clients send whole seconds, so the bounds are whole seconds too, including the second in which
// recovery was enabled.
RestorableTimes RestorableTimesOf(const PointInTimeRecovery& recovery, TimeMs now) {
  const TimeMs enabled = TimeFromMs(recovery.enabled_ms);
  const TimeMs oldest = now - std::chrono::days(recovery.days);
  const TimeMs earliest = std::chrono::floor<std::chrono::seconds>(std::max(enabled, oldest));
  return {earliest, std::max<TimeMs>(earliest, std::chrono::floor<std::chrono::seconds>(now))};
}

Result<void> ClearHistory(Store& store, const Catalog& catalog, TableNumber number) {
  const KeyRange rows = HistoryRows(number);
  ASSIGN_OR_RETURN(const std::optional<TableNumber> first, FirstTable(store, rows.begin));
  // Most tables never had a history.
  if (first != number) return {};
  // Another process may have given the table recovery in the meantime.
  return ClearRows(store, rows, [&] {
    const TablePtr table = catalog.FindByNumber(number);
    return !table || !table->recovery;
  });
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
  std::string first;  // the row of the first record
  std::string kept;   // the row of the first record that stays
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
    return record->time < before && ++records <= kTrimmedRecordsMax;
  };
  const KeyRange rows = HistoryRows(table);
  RETURN_IF_ERROR(FromStorage(store_.Scan(rows, Direction::kForward, visit)));
  if (is_damaged) {
    return std::unexpected(Error::InternalServerError(
        fmt::format("the history of table number {} is damaged", table)));
  }
  if (!oldest) return false;
  if (kept != first) RETURN_IF_ERROR(ClearRows(store_, {rows.begin, kept}));
  oldest_[table] = *oldest;
  return records > kTrimmedRecordsMax;
}

Result<void> HistoryTrim::Clear(TableNumber table) {
  oldest_.erase(table);
  return ClearHistory(store_, catalog_, table);
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
