#include "engine/write/index_build.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/sharing/sums.h"
#include "engine/store_access.h"
#include "value/item_codec.h"
#include "value/size.h"

namespace stator {
namespace {

constexpr SliceLimits kIndexSlice{.rows = 25, .bytes = std::size_t{256} << 10};
// Where each slice waits for a network.
constexpr SliceLimits kSharedIndexSlice{.rows = 100, .bytes = std::size_t{512} << 10};
constexpr std::size_t kCountedRowsPerSlice = 10'000;

// Writes the entries of a few items as they are at that moment.
class IndexSlice final : public Mutation {
 public:
  IndexSlice(const Catalog& catalog, const KeyHasher& hasher, TablePtr table, const Index& index,
             std::vector<std::string> row_keys)
      : catalog_(catalog),
        hasher_(hasher),
        table_(std::move(table)),
        index_(index),
        row_keys_(std::move(row_keys)) {}

  std::span<const std::string> Keys() const override { return row_keys_; }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    // Another process may be removing the index, and have begun to clear its rows.
    const TablePtr newest = catalog_.Newest(table_);
    const Index* const index = newest ? newest->FindIndex(index_.number) : nullptr;
    if (!index || index->status != IndexStatus::kCreating) return Verdict::kAbandon;
    for (const std::optional<std::string_view>& value : values) {
      if (!value) continue;
      const ItemView item(*value);
      const std::optional<std::string> key = EntryRowKey(hasher_, *table_, index_, item);
      if (!key) continue;
      if (index_.projection == ProjectionType::kAll) {
        batch.Put(*key, item.encoded());
      } else {
        batch.Put(*key, ProjectTopLevel(item, index_.entry_attributes));
      }
    }
    return Verdict::kCommit;
  }
  void Done(StorageResult<void>) override {}

 private:
  const Catalog& catalog_;
  const KeyHasher& hasher_;
  const TablePtr table_;
  const Index& index_;  // of table_
  const std::vector<std::string> row_keys_;
};

}  // namespace

IndexBuild::IndexBuild(Store& store, Catalog& catalog, const KeyHasher& hasher, WriteGate& gate,
                       TableNumber table, IndexNumber index)
    : store_(store),
      catalog_(catalog),
      hasher_(hasher),
      gate_(gate),
      table_(table),
      index_(index) {}

Result<bool> IndexBuild::Step() {
  const TablePtr table = catalog_.FindByNumber(table_);
  const Index* index = table ? table->FindIndex(index_) : nullptr;
  if (!index || index->status != IndexStatus::kCreating) return false;
  const Result<bool> more = DoPhase(table, *index);
  // The index or its table has gone in the meantime.
  if (!more && more.error().code() == ErrorCode::kResourceNotFound) return false;
  return more;
}

Result<bool> IndexBuild::DoPhase(const TablePtr& table, const Index& index) {
  switch (phase_) {
    case Phase::kAnnounce:
      return Announce(index);
    case Phase::kIndexItems:
      return IndexItems(table, index);
    case Phase::kCountEntries:
      return CountEntries(index);
  }
  return false;
}

Result<void> IndexBuild::ChangeIndex(const std::function<void(Index&)>& change) {
  RETURN_IF_ERROR(catalog_.Change(table_, [&](Table& table) -> Result<void> {
    const auto index = std::ranges::find(table.indexes, index_, &Index::number);
    if (index == table.indexes.end() || index->status != IndexStatus::kCreating) {
      return std::unexpected(Error::ResourceNotFound());
    }
    change(*index);
    return {};
  }));
  return {};
}

Result<bool> IndexBuild::Announce(const Index& index) {
  cursor_ = index.backfill_cursor.empty() ? IndexRows(table_, 0).begin : index.backfill_cursor;
  RETURN_IF_ERROR(WaitForWriters(store_));
  RETURN_IF_ERROR(ChangeIndex([](Index& changed) { changed.backfilling = true; }));
  phase_ = Phase::kIndexItems;
  return true;
}

Result<bool> IndexBuild::IndexItems(const TablePtr& table, const Index& index) {
  const SliceLimits& limits = store_.sharing() == nullptr ? kIndexSlice : kSharedIndexSlice;
  ASSIGN_OR_RETURN(std::vector<std::string> row_keys,
                   FirstKeys(store_, {cursor_, IndexRows(table_, 0).end}, limits));
  if (row_keys.empty()) return BeginCounting(index);

  cursor_ = KeyAfter(row_keys.back());
  RETURN_IF_ERROR(RunMutation(
      store_, std::make_unique<IndexSlice>(catalog_, hasher_, table, index, std::move(row_keys))));
  if (++slices_since_saved_ == kSlicesPerSavedCursor) {
    RETURN_IF_ERROR(ChangeIndex([this](Index& changed) { changed.backfill_cursor = cursor_; }));
    slices_since_saved_ = 0;
  }
  return true;
}

Result<bool> IndexBuild::BeginCounting(const Index& index) {
  cursor_ = IndexRows(table_, index_).begin;
  phase_ = Phase::kCountEntries;
  if (store_.sharing() != nullptr) {
    view_ = store_.Snapshot();
    return true;
  }
  gate_.WhileNothingIsInFlight(store_, [&] {
    items_before_ = index.counts->items;
    bytes_before_ = index.counts->bytes;
    view_ = store_.Snapshot();
  });
  return true;
}

Result<bool> IndexBuild::CountEntries(const Index& index) {
  std::size_t rows = 0;
  std::string last;
  RETURN_IF_ERROR(FromStorage(store_.Scan(
      {cursor_, IndexRows(table_, index_).end}, Direction::kForward,
      [&](std::string_view key, std::string_view entry) {
        ++items_;
        bytes_ += static_cast<std::int64_t>(ItemSizeBytes(ItemView(entry)));
        if (++rows < kCountedRowsPerSlice) return true;
        last = key;
        return false;
      },
      view_.get())));
  if (rows == kCountedRowsPerSlice) {
    cursor_ = KeyAfter(last);
    return true;
  }
  if (store_.sharing() != nullptr) {
    RETURN_IF_ERROR(CorrectSum(store_, *view_, {CountedRows::Kind::kIndex, table_, index_},
                               {items_, bytes_}, *index.counts));
    view_.reset();
  } else {
    index.counts->items += items_ - items_before_;
    index.counts->bytes += bytes_ - bytes_before_;
  }
  RETURN_IF_ERROR(ChangeIndex([](Index& changed) {
    changed.status = IndexStatus::kActive;
    changed.backfilling.reset();
    changed.backfill_cursor.clear();
  }));
  return false;
}

}  // namespace stator
