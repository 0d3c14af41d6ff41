#include "engine/check/row_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/expiry/expiry.h"
#include "engine/history/backup.h"
#include "engine/history/history.h"
#include "engine/store_access.h"
#include "engine/streams/stream_log.h"
#include "value/item_codec.h"

namespace stator {
namespace {

constexpr std::uint64_t kRowsPerProgress = 10'000;

// The sum of the hashes of some rows, which does not depend on their order.
struct RowSum {
  std::uint64_t count = 0;
  std::uint64_t high = 0;
  std::uint64_t low = 0;
  bool operator==(const RowSum&) const = default;

  void Add(std::string_view key, std::string_view value, std::string& buffer) {
    buffer = BigEndian(key.size(), 4);
    buffer.append(key).append(value);
    const Hash128 hash = HashBytes(buffer);
    const std::string_view bytes(hash.data(), hash.size());
    ++count;
    high += ReadBigEndian(bytes.substr(0, 8));
    low += ReadBigEndian(bytes.substr(8));
  }
};

class RowChecker {
 public:
  RowChecker(const Checkpoint& rows, const RowProgress& progress)
      : rows_(rows), progress_(progress) {}

  StorageResult<RowCheck> Run();

 private:
  template <class... Arguments>
  void Found(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    check_.findings.Add(fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  void CheckRow(std::string_view key, std::string_view value);
  void CheckItem(const RowAddress& at, std::string_view key, std::string_view value);
  void CheckRecord(const RowAddress& at, std::string_view key, std::string_view value);
  void CheckCatalogRow(std::string_view key, std::string_view value);
  StorageResult<void> CompareSums();
  StorageResult<void> TellDifference(const Table& table, const Index* index);

  const Checkpoint& rows_;
  const RowProgress& progress_;
  RowCheck check_;
  StoredCatalog catalog_;
  // By table and index; index 0 stands for the expiry rows.
  using Sums = std::map<std::pair<TableNumber, IndexNumber>, RowSum>;
  Sums expected_;
  Sums actual_;
  std::string log_;  // the one whose records are being read
  std::uint64_t next_record_ = 0;
  std::string buffer_;
};

void RowChecker::CheckCatalogRow(std::string_view key, std::string_view value) {
  static const std::string kBackupRows = CatalogRow("backup");
  if (key.starts_with(kBackupRows) && !DecodeBackup(value)) Found("the row of a backup is damaged");
}

void RowChecker::CheckItem(const RowAddress& at, std::string_view key, std::string_view value) {
  const auto found = catalog_.tables.find(at.owner);
  if (found == catalog_.tables.end()) {
    if (!catalog_.dropped.contains(at.owner))
      Found("a row of table {}, which is unknown", at.owner);
    return;
  }
  const Table& table = *found->second;
  if (at.index != 0) {
    ++check_.entries;
    if (!IsWellFormedItem(value)) Found("table {}: an index entry is damaged", table.name);
    actual_[{at.owner, at.index}].Add(key, value, buffer_);
    return;
  }
  ++check_.items;
  if (!catalog_.hasher) return;
  if (!IsItemOf(*catalog_.hasher, table, key, value)) {
    Found("table {}: an item is damaged, or not in the row of its key", table.name);
    return;
  }
  for (const DerivedRow& row : DerivedRows(*catalog_.hasher, table, key, ItemView(value))) {
    expected_[{at.owner, row.index}].Add(row.key, row.value, buffer_);
  }
}

void RowChecker::CheckRecord(const RowAddress& at, std::string_view key, std::string_view value) {
  ++check_.records;
  const bool is_stream = key[0] == kStreamSpace;
  const char* const what = is_stream ? "stream" : "history of table";
  if (at.log == log_ && at.number != next_record_) {
    Found("{} {}: records {} to {} of a log are missing", what, at.owner, next_record_,
          at.number - 1);
  }
  log_ = at.log;
  next_record_ = at.number + 1;
  const bool is_whole =
      is_stream ? DecodeRecord(value).has_value() : DecodeHistoryRecord(value).has_value();
  if (!is_whole) Found("{} {}: record {} is damaged", what, at.owner, at.number);
}

void RowChecker::CheckRow(std::string_view key, std::string_view value) {
  if (++check_.rows % kRowsPerProgress == 0 && progress_) progress_(check_.rows);
  const std::optional<RowAddress> at = AddressOf(key);
  switch (key.empty() ? '\0' : key[0]) {
    case kCatalogSpace:
      return CheckCatalogRow(key, value);
    case kRowSpace:
      return at ? CheckItem(*at, key, value) : Found("a row has a damaged key");
    case kStreamSpace:
    case kHistorySpace:
      return at ? CheckRecord(*at, key, value) : Found("a log record has a damaged key");
    case kExpirySpace:
      if (at) actual_[{at->owner, 0}].Add(key, value, buffer_);
      return;
    case kTokenSpace:
      return;
    default:
      Found("a row has a key of no known kind");
  }
}

// Whether all entries must be there by now.
bool IsComplete(const Table& table, const Index* index) {
  if (table.status == TableStatus::kCreating || table.status == TableStatus::kDeleting)
    return false;
  if (index != nullptr) {
    return index->status == IndexStatus::kActive || index->status == IndexStatus::kUpdating;
  }
  return table.time_to_live && table.time_to_live->status == TimeToLiveStatus::kEnabled;
}

StorageResult<void> RowChecker::CompareSums() {
  for (const auto& [number, table] : catalog_.tables) {
    const auto compare = [&](const Index* index) -> StorageResult<void> {
      if (!IsComplete(*table, index)) return {};
      const std::pair key{number, index ? index->number : IndexNumber{0}};
      if (expected_[key] == actual_[key]) return {};
      return TellDifference(*table, index);
    };
    for (const Index& index : table->indexes) RETURN_IF_ERROR(compare(&index));
    RETURN_IF_ERROR(compare(nullptr));
  }
  return {};
}

StorageResult<void> RowChecker::TellDifference(const Table& table, const Index* index) {
  const IndexNumber number = index ? index->number : IndexNumber{0};
  std::uint64_t missing = 0;
  std::uint64_t different = 0;
  std::uint64_t right = 0;
  RETURN_IF_ERROR(rows_.Scan(IndexRows(table.number, 0), Direction::kForward,
                             [&](std::string_view key, std::string_view value) {
                               if (!IsItemOf(*catalog_.hasher, table, key, value)) return true;
                               for (const DerivedRow& row :
                                    DerivedRows(*catalog_.hasher, table, key, ItemView(value))) {
                                 if (row.index != number) continue;
                                 std::string stored;
                                 const StorageResult<bool> found = rows_.Get(row.key, stored);
                                 if (!found || !*found) {
                                   ++missing;
                                 } else {
                                   ++(stored == row.value ? right : different);
                                 }
                               }
                               return true;
                             }));
  const std::uint64_t there = actual_[{table.number, number}].count;
  const std::uint64_t stray = there - std::min(there, right + different);
  Found("table {}, {}: {} rows are missing, {} differ, {} belong to no item", table.name,
        index ? "index " + index->name : "expiry", missing, different, stray);
  return {};
}

StorageResult<RowCheck> RowChecker::Run() {
  ASSIGN_OR_RETURN(catalog_, ReadStoredCatalog(rows_, check_.findings));
  check_.tables = catalog_.tables.size();
  RETURN_IF_ERROR(
      rows_.Scan({}, Direction::kForward, [&](std::string_view key, std::string_view value) {
        CheckRow(key, value);
        return true;
      }));
  if (progress_) progress_(check_.rows);
  if (catalog_.hasher) RETURN_IF_ERROR(CompareSums());
  return std::move(check_);
}

}  // namespace

StorageResult<RowCheck> CheckRows(const Checkpoint& rows, const RowProgress& progress) {
  return RowChecker(rows, progress).Run();
}

}  // namespace stator
