#include "engine/history/restore.h"

#include <string>
#include <utility>
#include <vector>

#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/read/raw_rows.h"
#include "engine/write/write_path.h"

namespace stator {
namespace {

// A slice ends with the item that reaches one of these, so that no write waits long behind it.
constexpr std::size_t kSliceItems = 250;
constexpr std::size_t kSliceBytes = std::size_t{512} << 10;

std::string CursorKey(TableNumber table) {
  std::string key = std::string(1, kCatalogSpace) + "restore";
  for (int shift = 24; shift >= 0; shift -= 8) key.push_back(static_cast<char>(table >> shift));
  return key;
}

struct Row {
  std::string key;
  std::string item;
};

// Writes new items with their index entries, and how far the restore has come.
class RestoreSlice final : public Mutation {
 public:
  RestoreSlice(const KeyHasher& hasher, TablePtr table, std::vector<Row> rows, std::string cursor)
      : hasher_(hasher),
        table_(std::move(table)),
        rows_(std::move(rows)),
        cursor_(std::move(cursor)) {}

  std::span<const std::string> Keys() const override { return {}; }
  Verdict Decide(std::span<const std::optional<std::string_view>>, WriteBatch& batch) override {
    counts_.clear();
    for (const Row& row : rows_) {
      const ItemChange change{
          .table = *table_, .row_key = row.key, .before = {}, .after = ItemView(row.item)};
      WriteChange(hasher_, change, batch, counts_, nullptr);
    }
    batch.Put(CursorKey(table_->number), cursor_);
    return Verdict::kCommit;
  }
  void Done(StorageResult<void> status) override {
    if (!status) return;
    for (const CountChange& change : counts_) {
      change.counts->items.fetch_add(change.items, std::memory_order_relaxed);
      change.counts->bytes.fetch_add(change.bytes, std::memory_order_relaxed);
    }
  }

 private:
  const KeyHasher& hasher_;
  const TablePtr table_;
  const std::vector<Row> rows_;
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
  std::vector<Row> rows;
  std::size_t bytes = 0;
  ASSIGN_OR_RETURN(const bool more, items_->Step([&](std::string_view key, ItemView item) {
    rows.push_back({prefix + std::string(key), std::string(item.encoded())});
    bytes += item.encoded().size();
    return rows.size() < kSliceItems && bytes < kSliceBytes;
  }));
  if (!rows.empty()) {
    const StorageResult<void> written = MutateAndWait(
        store_, std::make_unique<RestoreSlice>(hasher_, table, std::move(rows), items_->cursor()));
    if (!written) return std::unexpected(FromStorage(written.error()));
  }
  return more ? true : Finish();
}

Result<bool> Restore::Begin(const Table& table) {
  std::string cursor;
  const StorageResult<bool> found = store_.Get(CursorKey(number_), cursor);
  if (!found) return std::unexpected(FromStorage(found.error()));
  const RestoreOrigin& origin = *table.restored_from;
  StorageResult<std::unique_ptr<Checkpoint>> source = store_.OpenCheckpoint(origin.checkpoint);
  if (!source) return std::unexpected(FromStorage(source.error()));
  source_ = *std::move(source);
  std::optional<TimeMs> at;
  if (origin.backup_arn.empty()) at = TimeMs(std::chrono::milliseconds(origin.time_ms));
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
  const StorageResult<void> deleted = store_.DeleteCheckpoint(origin.checkpoint);
  if (!deleted) return std::unexpected(FromStorage(deleted.error()));
  return {};
}

}  // namespace stator
