#include "engine/history/undo_map.h"

#include <fmt/format.h>

#include "engine/engine.h"

namespace stator {
namespace {

constexpr int kRecordsPerSlice = 5'000;
constexpr std::size_t kBytesPerSlice = std::size_t{4} << 20;
constexpr std::size_t kBytesPerEntry = sizeof(UndoMap::Entries::value_type) + 48;  // and its node

Error Damaged(TableNumber table, std::uint64_t number) {
  return Error::InternalServerError(
      fmt::format("record {} in the history of table number {} is damaged", number, table));
}

}  // namespace

UndoMap::UndoMap(const Checkpoint& source, TableNumber table, TimeMs from, TimeMs to,
                 std::size_t memory_bytes)
    : source_(source), table_(table), from_(from), to_(to), memory_bytes_(memory_bytes) {}

void UndoMap::Begin(std::string begin) {
  begin_ = std::move(begin);
  end_.clear();
  entries_.clear();
  used_bytes_ = 0;
  log_end_ = HistoryRows(table_).end;
  is_past_to_ = false;
  is_loaded_ = false;
}

Result<bool> UndoMap::Load() {
  int records = 0;
  std::size_t bytes = 0;
  std::optional<Error> error;
  bool is_over = true;
  const auto visit = [&](std::string_view row_key, std::string_view value) {
    const std::uint64_t number = HistoryNumber(row_key);
    const std::optional<HistoryRecord> record = DecodeHistoryRecord(value);
    if (!record) {
      error = Damaged(table_, number);
      return false;
    }
    if (!Take(number, *record)) return false;
    bytes += value.size();
    if (++records < kRecordsPerSlice && bytes < kBytesPerSlice) return true;
    log_end_ = row_key;
    is_over = false;
    return false;
  };
  const StorageResult<void> scanned =
      source_.Scan({HistoryLog(table_), log_end_}, Direction::kReverse, visit);
  if (!scanned) return std::unexpected(FromStorage(scanned.error()));
  if (error) return std::unexpected(*std::move(error));
  is_loaded_ = is_over;
  return !is_over;
}

// False at the first record that is too old to matter.
bool UndoMap::Take(std::uint64_t number, const HistoryRecord& record) {
  is_past_to_ = is_past_to_ || record.time <= to_;
  if (is_past_to_ && record.time <= from_) return false;
  if (record.key < begin_ || (!end_.empty() && record.key >= end_)) return true;
  auto found = entries_.find(record.key);
  if (found == entries_.end()) {
    found = entries_.try_emplace(std::string(record.key)).first;
    used_bytes_ += kBytesPerEntry + record.key.size();
  }
  Entry& entry = found->second;
  // The log is read from its end: the record that is seen last comes first.
  if (is_past_to_) {
    if (entry.within == 0) entry.last_within = record.time;
    entry.within = number;
  } else {
    entry.after = number;
  }
  if (record.old) entry.any = number;
  Shrink();
  return true;
}

void UndoMap::Shrink() {
  while (used_bytes_ > memory_bytes_ && entries_.size() > 1) {
    auto last = std::prev(entries_.end());
    used_bytes_ -= kBytesPerEntry + last->first.size();
    end_ = last->first;
    entries_.erase(last);
  }
}

Result<void> UndoMap::Read(std::uint64_t number,
                           const std::function<void(const HistoryRecord&)>& use) const {
  std::string value;
  const StorageResult<bool> found = source_.Get(LogKey(HistoryLog(table_), number), value);
  if (!found) return std::unexpected(FromStorage(found.error()));
  const std::optional<HistoryRecord> record = DecodeHistoryRecord(value);
  if (!*found || !record) return std::unexpected(Damaged(table_, number));
  use(*record);
  return {};
}

}  // namespace stator
