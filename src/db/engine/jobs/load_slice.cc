#include "engine/jobs/load_slice.h"

#include <future>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/engine.h"
#include "engine/jobs/transfer_failure.h"
#include "engine/write/item_rules.h"
#include "value/size.h"

namespace stator {
namespace {

// A slice ends with the record that reaches one of these, so that no write waits long behind it.
constexpr std::size_t kSliceRecords = 250;
constexpr std::int64_t kSliceBytes = 512 << 10;

class LoadMutation final : public Mutation {
 public:
  LoadMutation(const WriteContext& context, TablePtr table, std::vector<Item> items,
               std::pair<std::string, std::string> row)
      : context_(context), table_(std::move(table)), row_(std::move(row)) {
    std::unordered_map<std::string, std::size_t> places;
    for (Item& item : items) {
      std::string key = ItemRowKey(context_.hasher, *table_, item.view());
      const auto [found, is_new] = places.try_emplace(std::move(key), keys_.size());
      if (is_new) {
        keys_.push_back(found->first);
        items_.push_back(std::move(item));
      } else {
        items_[found->second] = std::move(item);
      }
    }
  }

  std::future<Result<void>> Future() { return done_.get_future(); }

  std::span<const std::string> Keys() const override { return keys_; }

  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    counts_.clear();
    const TablePtr newest = context_.catalog.Newest(table_);
    is_gone_ = !newest || newest->status == TableStatus::kDeleting;
    if (is_gone_) return Verdict::kAbandon;
    table_ = newest;  // keeps the counts alive
    const TimeMs now = context_.clock.Now();
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      std::optional<ItemView> before;
      if (values[i]) before.emplace(*values[i]);
      const ItemChange change{.table = *table_,
                              .row_key = keys_[i],
                              .before = before,
                              .after = items_[i].view(),
                              .now = now};
      WriteChange(context_.hasher, change, batch, counts_, nullptr);
    }
    batch.Put(row_.first, row_.second);
    return Verdict::kCommit;
  }

  void Done(StorageResult<void> status) override {
    if (status && !is_gone_) {
      for (const CountChange& change : counts_) {
        change.counts->items.fetch_add(change.items, std::memory_order_relaxed);
        change.counts->bytes.fetch_add(change.bytes, std::memory_order_relaxed);
      }
    }
    context_.gate.Leave();
    if (!status) return done_.set_value(std::unexpected(FromStorage(status.error())));
    if (is_gone_) return done_.set_value(std::unexpected(Error::ResourceNotFound()));
    done_.set_value({});
  }

 private:
  const WriteContext context_;
  TablePtr table_;
  std::vector<std::string> keys_;
  std::vector<Item> items_;
  const std::pair<std::string, std::string> row_;
  std::promise<Result<void>> done_;

  // What Decide found; reset each time it runs.
  bool is_gone_ = false;
  std::vector<CountChange> counts_;
};

}  // namespace

transfer::TransferResult<LoadSlice> ReadSlice(transfer::ImportReader& reader, const Table& table) {
  LoadSlice slice;
  std::size_t records = 0;
  while (records < kSliceRecords && slice.item_bytes < kSliceBytes) {
    ASSIGN_OR_RETURN(std::optional<transfer::ImportRecord> record, reader.Next());
    if (!record) {
      slice.is_last = true;
      break;
    }
    ++records;
    if (record->item) {
      const Result<void> fits = CheckWholeItem(table, record->item->view());
      if (fits) {
        slice.item_bytes += static_cast<std::int64_t>(ItemSizeBytes(record->item->view()));
        slice.items.push_back(*std::move(record->item));
        continue;
      }
      record->item = std::unexpected(fits.error().message());
    }
    slice.problems.push_back(AsText(record->ProblemText()));
  }
  return slice;
}

Result<void> WriteSlice(Store& store, const WriteContext& context, TablePtr table,
                        std::vector<Item> items, std::pair<std::string, std::string> row) {
  auto mutation =
      std::make_unique<LoadMutation>(context, std::move(table), std::move(items), std::move(row));
  std::future<Result<void>> done = mutation->Future();
  context.gate.Enter(store, std::move(mutation));
  return done.get();
}

}  // namespace stator
