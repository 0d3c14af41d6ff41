#include "engine/check/rebuild.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/history/history.h"
#include "engine/streams/stream_log.h"

namespace stator {
namespace {

constexpr std::size_t kBatchBytes = std::size_t{1} << 20;
constexpr std::uint64_t kRowsPerReport = 10'000;

using SavedRows = std::vector<std::pair<std::string, std::string>>;

class PutRows final : public Mutation {
 public:
  explicit PutRows(SavedRows rows) : rows_(std::move(rows)) {}
  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    for (const auto& [key, value] : rows_) batch.Put(key, value);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  const SavedRows rows_;
};

class Rebuilder {
 public:
  Rebuilder(const Checkpoint& rows, bool is_incomplete, TimeMs now, Store& into,
            const RowProgress& progress)
      : rows_(rows), is_incomplete_(is_incomplete), now_(now), into_(into), progress_(progress) {}

  StorageResult<Rebuilt> Run();

 private:
  template <class... Arguments>
  void Lost(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    rebuilt_.lost.Add(fmt::format(format, std::forward<Arguments>(arguments)...));
  }
  void Save(std::string key, std::string value);
  StorageResult<void> Write();
  StorageResult<void> FindLogs();
  void SaveCatalog();
  void SaveNext(const std::string& row, std::uint32_t greatest);
  void SaveRow(std::string_view key, std::string_view value);
  void SaveItem(const RowAddress& at, std::string_view key, std::string_view value);
  void SaveRecord(const RowAddress& at, std::string_view key, std::string_view value);

  const Checkpoint& rows_;
  const bool is_incomplete_;
  const TimeMs now_;
  Store& into_;
  const RowProgress& progress_;
  Rebuilt rebuilt_;
  StoredCatalog catalog_;
  struct Unbroken {
    std::uint64_t first = 0;
    std::uint64_t next = 0;
  };
  std::map<std::string, Unbroken, std::less<>> logs_;  // the last records without a gap
  std::uint64_t rows_read_ = 0;
  SavedRows saved_;
  std::size_t saved_bytes_ = 0;
  StorageResult<void> written_;
};

void Rebuilder::Save(std::string key, std::string value) {
  saved_bytes_ += key.size() + value.size();
  saved_.emplace_back(std::move(key), std::move(value));
  if (saved_bytes_ >= kBatchBytes && written_) written_ = Write();
}

StorageResult<void> Rebuilder::Write() {
  saved_bytes_ = 0;
  return MutateAndWait(into_, std::make_unique<PutRows>(std::exchange(saved_, {})));
}

// Finds the last run without a gap in every log.
StorageResult<void> Rebuilder::FindLogs() {
  for (const char space : {kStreamSpace, kHistorySpace}) {
    const KeyRange range{std::string(1, space), std::string(1, static_cast<char>(space + 1))};
    RETURN_IF_ERROR(
        rows_.Scan(range, Direction::kForward, [&](std::string_view key, std::string_view value) {
          const std::optional<RowAddress> at = AddressOf(key);
          if (!at) return true;
          const bool is_whole = space == kStreamSpace ? DecodeRecord(value).has_value()
                                                      : DecodeHistoryRecord(value).has_value();
          auto log = logs_.find(at->log);
          if (log == logs_.end()) {
            log = logs_.emplace(std::string(at->log), Unbroken{at->number, at->number}).first;
          }
          if (!is_whole || at->number != log->second.next) log->second.first = at->number;
          if (!is_whole) ++log->second.first;
          log->second.next = at->number + 1;
          return true;
        }));
  }
  return {};
}

void Rebuilder::SaveNext(const std::string& row, std::uint32_t greatest) {
  std::string stored;
  const StorageResult<bool> found = rows_.Get(row, stored);
  std::uint32_t next = greatest + 1;
  if (found && *found && stored.size() == sizeof(next)) {
    next = std::max(next, static_cast<std::uint32_t>(ReadBigEndian(stored)));
  }
  Save(row, BigEndian(next, sizeof(next)));
}

void Rebuilder::SaveCatalog() {
  for (const auto& [number, stored] : catalog_.tables) {
    Table table = *stored;
    if (table.stream && !catalog_.streams.contains(table.stream->number)) {
      Lost("table {}: its stream", table.name);
      table.stream.reset();
    }
    if (table.recovery && is_incomplete_) {
      Lost("table {}: its history; point-in-time recovery begins again now", table.name);
      table.recovery->enabled_ms = EpochMs(now_);
    }
    Save(kTableRows + BigEndian(number, sizeof(number)), EncodeTable(table));
    ++rebuilt_.tables;
  }
  if (!catalog_.tables.empty() || !catalog_.dropped.empty()) {
    std::uint32_t greatest = catalog_.tables.empty() ? 0 : catalog_.tables.rbegin()->first;
    if (!catalog_.dropped.empty()) greatest = std::max(greatest, *catalog_.dropped.rbegin());
    SaveNext(kNextTableRow, greatest);
  }
  for (const auto& [number, stream] : catalog_.streams) {
    Save(kStreamRowsPrefix + BigEndian(number, sizeof(number)), EncodeStream(*stream));
  }
  if (!catalog_.streams.empty()) SaveNext(kNextStreamRow, catalog_.streams.rbegin()->first);
}

void Rebuilder::SaveItem(const RowAddress& at, std::string_view key, std::string_view value) {
  if (at.index != 0) return;
  const auto found = catalog_.tables.find(at.owner);
  if (found == catalog_.tables.end()) {
    if (!catalog_.dropped.contains(at.owner))
      Lost("an item of table {}, which is unknown", at.owner);
    return;
  }
  const Table& table = *found->second;
  if (!IsItemOf(*catalog_.hasher, table, key, value)) {
    Lost("table {}: a damaged item", table.name);
    return;
  }
  ++rebuilt_.items;
  Save(std::string(key), std::string(value));
  for (DerivedRow& row : DerivedRows(*catalog_.hasher, table, key, ItemView(value))) {
    if (row.index != 0) ++rebuilt_.entries;
    Save(std::move(row.key), std::move(row.value));
  }
}

void Rebuilder::SaveRecord(const RowAddress& at, std::string_view key, std::string_view value) {
  const bool is_history = key[0] == kHistorySpace;
  if (is_history && is_incomplete_) return;
  const auto log = logs_.find(at.log);
  if (log == logs_.end() || at.number < log->second.first) return;
  ++rebuilt_.records;
  Save(std::string(key), std::string(value));
}

void Rebuilder::SaveRow(std::string_view key, std::string_view value) {
  if (++rows_read_ % kRowsPerReport == 0 && progress_) progress_(rows_read_);
  const std::optional<RowAddress> at = AddressOf(key);
  switch (key.empty() ? '\0' : key[0]) {
    case kCatalogSpace: {
      // Tables and streams are saved already; rows are counted again when there are no counts.
      const bool is_table = key.starts_with(kTableRows) && !value.empty();
      if (is_table || key.starts_with(kStreamRowsPrefix) || key == kCountsRow ||
          key == kNextTableRow || key == kNextStreamRow) {
        return;
      }
      return Save(std::string(key), std::string(value));
    }
    case kRowSpace:
      return at ? SaveItem(*at, key, value) : Lost("a row with a damaged key");
    case kStreamSpace:
    case kHistorySpace:
      return at ? SaveRecord(*at, key, value) : Lost("a log record with a damaged key");
    case kTokenSpace:
      return Save(std::string(key), std::string(value));
    default:
      return;  // expiry rows are computed
  }
}

StorageResult<Rebuilt> Rebuilder::Run() {
  ASSIGN_OR_RETURN(catalog_, ReadStoredCatalog(rows_, rebuilt_.lost));
  if (!catalog_.hasher && !catalog_.tables.empty()) {
    return std::unexpected(
        StorageError{StorageError::Kind::kCorrupt,
                     "the secret of the keys is lost, and with it the way from a "
                     "key to its row; restore a backup"});
  }
  RETURN_IF_ERROR(FindLogs());
  for (const auto& [log, run] : logs_) {
    if (run.first > 1 && run.first == run.next) Lost("all records of a log");
  }
  SaveCatalog();
  RETURN_IF_ERROR(
      rows_.Scan({}, Direction::kForward, [&](std::string_view key, std::string_view value) {
        SaveRow(key, value);
        return written_.has_value();
      }));
  RETURN_IF_ERROR(written_);
  RETURN_IF_ERROR(Write());
  return std::move(rebuilt_);
}

}  // namespace

StorageResult<Rebuilt> RebuildRows(const Checkpoint& rows, bool is_incomplete, TimeMs now,
                                   Store& into, const RowProgress& progress) {
  return Rebuilder(rows, is_incomplete, now, into, progress).Run();
}

}  // namespace stator
