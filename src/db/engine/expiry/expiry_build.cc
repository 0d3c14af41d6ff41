#include "engine/expiry/expiry_build.h"

#include <utility>
#include <vector>

#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/expiry/expiry.h"
#include "engine/write/index_build.h"

namespace stator {
namespace {

constexpr std::size_t kSliceItems = 100;
constexpr std::size_t kSliceBytes = std::size_t{256} << 10;
// A restart repeats at most this many slices, which is harmless.
constexpr int kSlicesPerSavedCursor = 100;

// Writes the expiry rows of a few items as they are at that moment.
class ExpirySlice final : public Mutation {
 public:
  ExpirySlice(TablePtr table, std::vector<std::string> row_keys)
      : table_(std::move(table)), row_keys_(std::move(row_keys)) {}

  std::span<const std::string> Keys() const override { return row_keys_; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!values[i]) continue;
      const auto second = ExpirySecond(table_->time_to_live->attribute, ItemView(*values[i]));
      if (second) batch.Put(ExpiryKey(table_->number, *second, row_keys_[i]), {});
    }
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  const TablePtr table_;
  const std::vector<std::string> row_keys_;
};

}  // namespace

Result<bool> ExpiryBuild::Step() {
  const TablePtr table = catalog_.FindByNumber(table_);
  if (!table || !table->time_to_live) return false;
  if (table->time_to_live->status != TimeToLiveStatus::kEnabling) return false;
  const KeyRange items = IndexRows(table_, 0);
  if (!std::exchange(has_begun_, true)) {
    const std::string& saved = table->time_to_live->backfill_cursor;
    cursor_ = saved.empty() ? items.begin : saved;
    RETURN_IF_ERROR(WaitForWriters(store_));
  }

  std::vector<std::string> row_keys;
  std::size_t bytes = 0;
  const StorageResult<void> scanned = store_.Scan(
      {cursor_, items.end}, Direction::kForward, [&](std::string_view key, std::string_view item) {
        row_keys.emplace_back(key);
        bytes += item.size();
        return row_keys.size() < kSliceItems && bytes < kSliceBytes;
      });
  if (!scanned) return std::unexpected(FromStorage(scanned.error()));
  if (row_keys.empty()) return Finish();

  cursor_ = row_keys.back() + '\0';  // behind the last one
  const StorageResult<void> written =
      MutateAndWait(store_, std::make_unique<ExpirySlice>(table, std::move(row_keys)));
  if (!written) return std::unexpected(FromStorage(written.error()));
  if (++slices_since_saved_ == kSlicesPerSavedCursor) RETURN_IF_ERROR(SaveCursor());
  return true;
}

Result<void> ExpiryBuild::SaveCursor() {
  slices_since_saved_ = 0;
  RETURN_IF_ERROR(catalog_.Change(table_, [this](Table& table) -> Result<void> {
    if (table.time_to_live) table.time_to_live->backfill_cursor = cursor_;
    return {};
  }));
  return {};
}

Result<bool> ExpiryBuild::Finish() {
  RETURN_IF_ERROR(catalog_.Change(table_, [](Table& table) -> Result<void> {
    if (!table.time_to_live) return {};
    table.time_to_live->status = TimeToLiveStatus::kEnabled;
    table.time_to_live->backfill_cursor.clear();
    return {};
  }));
  return false;
}

}  // namespace stator
