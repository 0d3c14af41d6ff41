// Walks through the past of a table: its items at a time, and what changed between two.
#include <utility>

#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/history/history.h"

namespace stator {
namespace {

constexpr int kRowsPerSlice = 2'000;

// The smallest key behind this one.
std::string Behind(std::string_view key) {
  std::string next(key);
  next.push_back('\0');
  return next;
}

}  // namespace

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
    was_stopped = !go_on || ++rows == kRowsPerSlice;
    return !was_stopped;
  };
  const StorageResult<void> scanned =
      source_.Scan({prefix_ + cursor_, end.empty() ? PrefixEnd(prefix_) : prefix_ + end},
                   Direction::kForward, visit_row);
  if (!scanned) return std::unexpected(FromStorage(scanned.error()));
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
    cursor_ = Behind(at->first);
  }
  return go_on;
}

bool PastItems::VisitRow(std::string_view key, std::string_view item, const Visit& visit,
                         std::optional<Error>& error) {
  // What the item was then counts, and not what it is.
  if (undo_.entries().contains(key)) return VisitUndone(Behind(key), visit, error);
  cursor_ = Behind(key);
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
    if (changes++ == kRowsPerSlice) return true;
    cursor_ = Behind(at->first);
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
    const StorageResult<bool> found = source_.Get(prefix_ + key, value);
    if (!found) return std::unexpected(FromStorage(found.error()));
    if (*found) after = Item::FromEncoded(std::move(value));
  }
  if (!before && !after && entry.any != 0) RETURN_IF_ERROR(undo_.Read(entry.any, keep_in(any)));
  if (!before && !after && !any) {
    return std::unexpected(Error::InternalServerError("the history of an item is not complete"));
  }
  Change change{.key = key,
                .any = (after    ? after
                        : before ? before
                                 : any)
                           ->view(),
                .time = entry.last_within};
  if (before) change.before = before->view();
  if (after) change.after = after->view();
  return visit(change);
}

}  // namespace stator
