#include "engine/expiry/expiry.h"

#include <charconv>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/big_endian.h"
#include "base/try.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/row_key.h"
#include "engine/store_access.h"
#include "engine/write/write_path.h"
#include "value/number.h"

namespace stator {
namespace {

constexpr std::size_t kTableBytes = 4;
constexpr std::size_t kSecondBytes = 8;
constexpr std::size_t kPrefixBytes = 1 + kTableBytes + kSecondBytes;

constexpr SliceLimits kExpirySlice{.rows = 100, .bytes = std::size_t{256} << 10};

std::string TablePrefix(TableNumber table) { return kExpirySpace + BigEndian(table, kTableBytes); }

std::string SecondPrefix(TableNumber table, std::int64_t second) {
  std::string key = TablePrefix(table);
  AppendBigEndian(key, static_cast<std::uint64_t>(second), kSecondBytes);
  return key;
}

std::optional<std::int64_t> SecondOf(const Table& table, std::optional<ItemView> item) {
  return item ? ExpirySecond(table.time_to_live->attribute, *item) : std::nullopt;
}

// Writes the expiry rows of a few items as they are at that moment.
class ExpirySlice final : public Mutation {
 public:
  ExpirySlice(const Catalog& catalog, TablePtr table, std::vector<std::string> row_keys)
      : catalog_(catalog), table_(std::move(table)), row_keys_(std::move(row_keys)) {}

  std::span<const std::string> Keys() const override { return row_keys_; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    // Another process may have disabled time to live, and have begun to clear its rows.
    const TablePtr newest = catalog_.Newest(table_);
    if (!newest || !newest->time_to_live ||
        newest->time_to_live_change_ms != table_->time_to_live_change_ms) {
      return Verdict::kAbandon;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!values[i]) continue;
      const auto second = ExpirySecond(table_->time_to_live->attribute, ItemView(*values[i]));
      if (second) batch.Put(ExpiryKey(table_->number, *second, row_keys_[i]), {});
    }
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  const Catalog& catalog_;
  const TablePtr table_;
  const std::vector<std::string> row_keys_;
};

}  // namespace

std::optional<std::int64_t> ExpirySecond(std::string_view attribute, ItemView item) {
  const std::optional<ValueView> value = item.Find(attribute);
  if (!value || value->type() != Type::kN) return std::nullopt;
  std::string text;
  AppendNumberText(text, value->number());
  // A fraction does not change the second. A number that does not fit is not a time.
  const std::string_view whole = std::string_view(text).substr(0, text.find('.'));
  std::int64_t second = 0;
  const auto [end, error] = std::from_chars(whole.data(), whole.data() + whole.size(), second);
  if (error != std::errc() || text.front() == '-') return std::nullopt;
  return second;
}

std::string ExpiryKey(TableNumber table, std::int64_t second, std::string_view row_key) {
  std::string key = SecondPrefix(table, second);
  key.append(row_key.substr(kRowPrefixBytes));
  return key;
}

std::optional<ExpiryRow> ReadExpiryKey(std::string_view key) {
  if (key.size() < kPrefixBytes + sizeof(Hash128) || key.front() != kExpirySpace) {
    return std::nullopt;
  }
  const auto table = static_cast<TableNumber>(ReadBigEndian(key.substr(1, kTableBytes)));
  ExpiryRow row{static_cast<std::int64_t>(ReadBigEndian(key.substr(1 + kTableBytes, kSecondBytes))),
                IndexRows(table, 0).begin};
  row.row_key.append(key.substr(kPrefixBytes));
  return row;
}

KeyRange ExpiryRows(TableNumber table) { return RowsWithPrefix(TablePrefix(table)); }

KeyRange ExpiryRows(TableNumber table, std::int64_t first, std::int64_t end) {
  return {SecondPrefix(table, first), SecondPrefix(table, end)};
}

void WriteExpiry(const ItemChange& change, WriteBatch& batch) {
  const std::optional<std::int64_t> before = SecondOf(change.table, change.before);
  const std::optional<std::int64_t> after = SecondOf(change.table, change.after);
  if (before == after) return;
  if (before) batch.Delete(ExpiryKey(change.table.number, *before, change.row_key));
  if (after) batch.Put(ExpiryKey(change.table.number, *after, change.row_key), {});
}

Result<bool> ExpiryBuild::Step() {
  const TablePtr table = catalog_.FindByNumber(table_);
  if (!table || !table->time_to_live) return false;
  if (table->time_to_live->status != TimeToLiveStatus::kEnabling) return false;
  const KeyRange items = IndexRows(table_, 0);
  if (!std::exchange(has_begun_, true)) {
    const std::string& saved = table->time_to_live->backfill_cursor;
    cursor_ = saved.empty() ? items.begin : saved;
    enabled_ms_ = table->time_to_live_change_ms;
    RETURN_IF_ERROR(WaitForWriters(store_));
  }
  // It was disabled and enabled again, which another build takes care of.
  if (table->time_to_live_change_ms != enabled_ms_) return false;

  ASSIGN_OR_RETURN(std::vector<std::string> row_keys,
                   FirstKeys(store_, {cursor_, items.end}, kExpirySlice));
  if (row_keys.empty()) return Finish();

  cursor_ = KeyAfter(row_keys.back());
  RETURN_IF_ERROR(
      RunMutation(store_, std::make_unique<ExpirySlice>(catalog_, table, std::move(row_keys))));
  if (++slices_since_saved_ == kSlicesPerSavedCursor) RETURN_IF_ERROR(SaveCursor());
  return true;
}

bool ExpiryBuild::IsBuilding(const Table& table) const {
  return table.time_to_live && table.time_to_live->status == TimeToLiveStatus::kEnabling &&
         table.time_to_live_change_ms == enabled_ms_;
}

Result<void> ExpiryBuild::SaveCursor() {
  slices_since_saved_ = 0;
  RETURN_IF_ERROR(catalog_.Change(table_, [this](Table& table) -> Result<void> {
    if (IsBuilding(table)) table.time_to_live->backfill_cursor = cursor_;
    return {};
  }));
  return {};
}

Result<bool> ExpiryBuild::Finish() {
  RETURN_IF_ERROR(catalog_.Change(table_, [this](Table& table) -> Result<void> {
    if (!IsBuilding(table)) return {};
    table.time_to_live->status = TimeToLiveStatus::kEnabled;
    table.time_to_live->backfill_cursor.clear();
    return {};
  }));
  return false;
}

}  // namespace stator
