#include "engine/history/restore.h"

#include <string>
#include <utility>
#include <vector>

#include "base/big_endian.h"
#include "base/clock.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/sharing/sums.h"
#include "engine/store_access.h"
#include "engine/write/write_path.h"

namespace stator {
namespace {

constexpr SliceLimits kRestoreSlice{.rows = 250, .bytes = std::size_t{512} << 10};

std::string CursorKey(TableNumber table) {
  return kCatalogSpace + ("restore" + BigEndian(table, sizeof(table)));
}

struct RestoredRow {
  std::string key;
  std::string item;
};

// Where a restore goes on after a slice. On a shared store a slice is written only if the stored
// position is the one that it began at: another process may have been at work.
struct RestorePosition {
  std::optional<std::string> before;
  std::string after;
  bool is_shared = false;
};

// Writes new items with their index entries, and how far the restore has got.
class RestoreSlice final : public Mutation {
 public:
  RestoreSlice(const KeyHasher& hasher, TablePtr table, std::vector<RestoredRow> rows,
               RestorePosition position, bool& is_written)
      : hasher_(hasher),
        table_(std::move(table)),
        rows_(std::move(rows)),
        position_(std::move(position)),
        cursor_key_(CursorKey(table_->number)),
        is_written_(is_written) {}

  std::span<const std::string> Keys() const override {
    return {&cursor_key_, position_.is_shared ? std::size_t{1} : std::size_t{0}};
  }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    counts_.clear();
    is_written_ = !position_.is_shared || values[0] == position_.before;
    if (!is_written_) return Verdict::kAbandon;
    for (const RestoredRow& row : rows_) {
      const ItemChange change{
          .table = *table_, .row_key = row.key, .before = {}, .after = ItemView(row.item)};
      WriteChange(hasher_, change, batch, counts_, nullptr);
    }
    if (position_.is_shared) AddToSums(counts_, batch);
    batch.Put(cursor_key_, position_.after);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void> status) override {
    if (status && is_written_) ApplyCounts(counts_);
  }

 private:
  const KeyHasher& hasher_;
  const TablePtr table_;
  const std::vector<RestoredRow> rows_;
  const RestorePosition position_;
  const std::string cursor_key_;
  bool& is_written_;
  std::vector<CountChange> counts_;
};

}  // namespace

bool OwnsCheckpoint(const RestoreOrigin& origin) { return origin.backup_arn.empty(); }

Result<bool> Restore::Step() {
  const TablePtr table = catalog_.FindByNumber(number_);
  if (!table || table->status != TableStatus::kCreating || !table->restored_from) return false;
  if (!items_) return Begin(*table);

  const std::string prefix = IndexRows(number_, 0).begin;
  std::vector<RestoredRow> rows;
  std::size_t bytes = 0;
  ASSIGN_OR_RETURN(const bool more, items_->Step([&](std::string_view key, ItemView item) {
    rows.push_back({prefix + std::string(key), std::string(item.encoded())});
    bytes += item.encoded().size();
    return rows.size() < kRestoreSlice.rows && bytes < kRestoreSlice.bytes;
  }));
  if (!rows.empty()) {
    RestorePosition position{.before = std::exchange(cursor_, items_->cursor()),
                             .after = items_->cursor(),
                             .is_shared = store_.sharing() != nullptr};
    bool is_written = false;
    RETURN_IF_ERROR(
        RunMutation(store_, std::make_unique<RestoreSlice>(hasher_, table, std::move(rows),
                                                           std::move(position), is_written)));
    if (!is_written) {
      items_.reset();  // begins again where the other has got to
      return true;
    }
  }
  return more ? true : Finish(*table->restored_from);
}

Result<bool> Restore::Begin(const Table& table) {
  std::string cursor;
  ASSIGN_OR_RETURN(const bool found, FromStorage(store_.Get(CursorKey(number_), cursor)));
  cursor_ = found ? std::optional(cursor) : std::nullopt;
  source_.reset();
  const RestoreOrigin& origin = *table.restored_from;
  if (archive_ != nullptr) {
    ASSIGN_OR_RETURN(source_, FromStorage(archive_->OpenCopy(origin.checkpoint)));
  }
  if (!source_) {
    ASSIGN_OR_RETURN(source_, FromStorage(store_.OpenCheckpoint(origin.checkpoint)));
  }
  std::optional<TimeMs> at;
  if (origin.backup_arn.empty()) at = TimeFromMs(origin.time_ms);
  items_.emplace(*source_, origin.table_number, at, std::move(cursor));
  return true;
}

Result<bool> Restore::Finish(const RestoreOrigin& origin) {
  RETURN_IF_ERROR(catalog_.Change(number_, [](Table& changed) -> Result<void> {
    changed.status = TableStatus::kActive;
    changed.restored_from->checkpoint.clear();
    changed.restored_from->table_number = 0;
    return {};
  }));
  RETURN_IF_ERROR(CleanUp(origin));
  return false;
}

Result<void> Restore::GiveUp() {
  const TablePtr table = catalog_.FindByNumber(number_);
  if (!table || !table->restored_from) return {};
  RETURN_IF_ERROR(catalog_.Drop(number_));
  return CleanUp(*table->restored_from);
}

Result<void> Restore::CleanUp(const RestoreOrigin& origin) {
  items_.reset();
  source_.reset();
  RETURN_IF_ERROR(WriteRawRows(store_, {{CursorKey(number_), std::nullopt}}));
  if (!OwnsCheckpoint(origin)) return {};
  return FromStorage(store_.DeleteCheckpoint(origin.checkpoint));
}

}  // namespace stator
