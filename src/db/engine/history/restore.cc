#include "engine/history/restore.h"

#include <string>
#include <utility>
#include <vector>

#include "base/big_endian.h"
#include "base/clock.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
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

// Writes new items with their index entries, and how far the restore has got.
class RestoreSlice final : public Mutation {
 public:
  RestoreSlice(const KeyHasher& hasher, TablePtr table, std::vector<RestoredRow> rows,
               std::string cursor)
      : hasher_(hasher),
        table_(std::move(table)),
        rows_(std::move(rows)),
        cursor_(std::move(cursor)) {}

  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    counts_.clear();
    for (const RestoredRow& row : rows_) {
      const ItemChange change{
          .table = *table_, .row_key = row.key, .before = {}, .after = ItemView(row.item)};
      WriteChange(hasher_, change, batch, counts_, nullptr);
    }
    batch.Put(CursorKey(table_->number), cursor_);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void> status) override {
    if (status) ApplyCounts(counts_);
  }

 private:
  const KeyHasher& hasher_;
  const TablePtr table_;
  const std::vector<RestoredRow> rows_;
  const std::string cursor_;
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
    RETURN_IF_ERROR(RunMutation(
        store_, std::make_unique<RestoreSlice>(hasher_, table, std::move(rows), items_->cursor())));
  }
  return more ? true : Finish();
}

Result<bool> Restore::Begin(const Table& table) {
  std::string cursor;
  RETURN_IF_ERROR(FromStorage(store_.Get(CursorKey(number_), cursor)));
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

Result<bool> Restore::Finish() {
  const RestoreOrigin origin = *catalog_.FindByNumber(number_)->restored_from;
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
