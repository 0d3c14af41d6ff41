#include "engine/history/past.h"

#include <fmt/format.h>

#include <utility>

#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/store_access.h"
#include "value/key_codec.h"

namespace stator {
namespace {

// What a slice reads of the log, and how many items it visits.
constexpr int kReadRecordsMax = 5'000;
constexpr std::size_t kReadBytesMax = std::size_t{4} << 20;
constexpr int kVisitedItemsMax = 2'000;

constexpr std::size_t kBytesPerEntry = sizeof(UndoMap::Entries::value_type) + 48;  // and its node

Error RecordDamage(TableNumber table, std::uint64_t number) {
  return Error::InternalServerError(
      fmt::format("record {} in the history of table number {} is damaged", number, table));
}

}  // namespace

std::vector<KeyRange> PastRows(TableNumber table) {
  return {IndexRows(table, 0), HistoryRows(table)};
}

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
      error = RecordDamage(table_, number);
      return false;
    }
    if (!Take(number, *record)) return false;
    bytes += value.size();
    if (++records < kReadRecordsMax && bytes < kReadBytesMax) return true;
    log_end_ = row_key;
    is_over = false;
    return false;
  };
  RETURN_IF_ERROR(
      FromStorage(source_.Scan({HistoryLog(table_), log_end_}, Direction::kReverse, visit)));
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
  // The log is read from its end, so the last record that is read is the first of its key.
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
  ASSIGN_OR_RETURN(const bool found,
                   FromStorage(source_.Get(LogKey(HistoryLog(table_), number), value)));
  const std::optional<HistoryRecord> record = DecodeHistoryRecord(value);
  if (!found || !record) return std::unexpected(RecordDamage(table_, number));
  use(*record);
  return {};
}

PastItems::PastItems(const Checkpoint& source, TableNumber table, std::optional<TimeMs> at,
                     std::string cursor, std::size_t memory_bytes)
    : source_(source),
      prefix_(IndexRows(table, 0).begin),
      undo_(source, table, at.value_or(TimeMs::max()), at.value_or(TimeMs::max()), memory_bytes),
      cursor_(std::move(cursor)) {
  undo_.Begin(cursor_);
}

Result<bool> PastItems::Step(const Visit& visit) {
  if (!undo_.is_loaded()) {
    RETURN_IF_ERROR(undo_.Load());
    return true;
  }
  const std::string& end = undo_.end();
  std::optional<Error> error;
  int rows = 0;
  bool was_stopped = false;
  const auto visit_row = [&](std::string_view row_key, std::string_view item) {
    const std::string_view key = row_key.substr(prefix_.size());
    const bool go_on = VisitUndone(key, visit, error) && VisitRow(key, item, visit, error);
    was_stopped = !go_on || ++rows == kVisitedItemsMax;
    return !was_stopped;
  };
  RETURN_IF_ERROR(FromStorage(
      source_.Scan({prefix_ + cursor_, end.empty() ? PrefixEnd(prefix_) : prefix_ + end},
                   Direction::kForward, visit_row)));
  if (!was_stopped && !error) was_stopped = !VisitUndone(end, visit, error);
  if (error) return std::unexpected(*std::move(error));
  if (was_stopped) return true;
  if (end.empty()) return false;
  cursor_ = end;
  undo_.Begin(cursor_);
  return true;
}

bool PastItems::VisitUndone(std::string_view end, const Visit& visit, std::optional<Error>& error) {
  bool go_on = true;
  for (auto at = undo_.entries().lower_bound(cursor_);
       go_on && at != undo_.entries().end() && (end.empty() || at->first < end); ++at) {
    const auto use = [&](const HistoryRecord& record) {
      if (record.old) go_on = visit(at->first, *record.old);
    };
    if (Result<void> read = undo_.Read(at->second.after, use); !read) {
      error = std::move(read).error();
      return false;
    }
    cursor_ = KeyAfter(at->first);
  }
  return go_on;
}

bool PastItems::VisitRow(std::string_view key, std::string_view item, const Visit& visit,
                         std::optional<Error>& error) {
  // With history, what the item was then counts, not what it is.
  if (undo_.entries().contains(key)) return VisitUndone(KeyAfter(key), visit, error);
  cursor_ = KeyAfter(key);
  return visit(key, ItemView(item));
}

PastChanges::PastChanges(const Checkpoint& source, TableNumber table, TimeMs from, TimeMs to,
                         std::string cursor, std::size_t memory_bytes)
    : source_(source),
      prefix_(IndexRows(table, 0).begin),
      undo_(source, table, from, to, memory_bytes),
      cursor_(std::move(cursor)) {
  undo_.Begin(cursor_);
}

Result<bool> PastChanges::Step(const Visit& visit) {
  if (!undo_.is_loaded()) {
    RETURN_IF_ERROR(undo_.Load());
    return true;
  }
  int changes = 0;
  for (auto at = undo_.entries().lower_bound(cursor_); at != undo_.entries().end(); ++at) {
    if (changes++ == kVisitedItemsMax) return true;
    cursor_ = KeyAfter(at->first);
    if (at->second.within == 0) continue;
    ASSIGN_OR_RETURN(const bool go_on, VisitOne(at->first, at->second, visit));
    if (!go_on) return true;
  }
  if (undo_.end().empty()) return false;
  cursor_ = undo_.end();
  undo_.Begin(cursor_);
  return true;
}

Result<bool> PastChanges::VisitOne(const std::string& key, const UndoMap::Entry& entry,
                                   const Visit& visit) {
  std::optional<Item> before;
  std::optional<Item> after;
  std::optional<Item> any;
  const auto keep_in = [](std::optional<Item>& image) {
    return [&image](const HistoryRecord& record) {
      if (record.old) image = Item::FromView(*record.old);
    };
  };
  RETURN_IF_ERROR(undo_.Read(entry.within, keep_in(before)));
  if (entry.after != 0) {
    RETURN_IF_ERROR(undo_.Read(entry.after, keep_in(after)));
  } else {
    std::string value;
    ASSIGN_OR_RETURN(const bool found, FromStorage(source_.Get(prefix_ + key, value)));
    if (found) after = Item::FromEncoded(std::move(value));
  }
  if (!before && !after && entry.any != 0) RETURN_IF_ERROR(undo_.Read(entry.any, keep_in(any)));
  if (!before && !after && !any) {
    return std::unexpected(Error::InternalServerError("the history of an item is not complete"));
  }
  Change change{.key = key, .time = entry.last_within};
  if (before) change.before = before->view();
  if (after) change.after = after->view();
  change.any = (after ? after : before ? before : any)->view();
  return visit(change);
}

}  // namespace stator
