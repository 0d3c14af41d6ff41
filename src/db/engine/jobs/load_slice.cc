#include "engine/jobs/load_slice.h"

#include <fmt/format.h>

#include <future>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/jobs/job_rows.h"
#include "engine/store_access.h"
#include "engine/write/item_rules.h"
#include "value/size.h"

namespace stator {
namespace {

constexpr SliceLimits kLoadSlice{.rows = 250, .bytes = std::size_t{512} << 10};

class LoadMutation final : public Mutation {
 public:
  LoadMutation(const WriteContext& context, TablePtr table, std::vector<Item> items, JobRow row)
      : changes_(context), table_(std::move(table)), row_(std::move(row)) {
    std::unordered_map<std::string, std::size_t> places;
    for (Item& item : items) {
      std::string key = ItemRowKey(context.hasher, *table_, item.view());
      const auto [found, is_new] = places.try_emplace(std::move(key), keys_.size());
      if (is_new) {
        keys_.push_back(found->first);
        items_.push_back(std::move(item));
      } else {
        items_[found->second] = std::move(item);
      }
    }
    if (context.sharing != nullptr) keys_.push_back(row_.key);
  }

  std::future<Result<bool>> Future() { return done_.get_future(); }

  std::span<const std::string> Keys() const override { return keys_; }

  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    changes_.Restart();
    is_row_as_known_ = IsRowAsKnown(values);
    if (!is_row_as_known_) return Verdict::kAbandon;
    table_state_ = BringUpToDate(changes_.context().catalog, table_);
    if (!table_state_) return Verdict::kAbandon;
    const TimeMs now = changes_.context().clock.Now();
    for (std::size_t i = 0; i < items_.size(); ++i) {
      std::optional<ItemView> before;
      if (values[i]) before.emplace(*values[i]);
      const ItemChange change{.table = *table_,
                              .row_key = keys_[i],
                              .before = before,
                              .after = items_[i].view(),
                              .now = now};
      changes_.Write(change, batch);
    }
    batch.Put(row_.key, row_.value);
    if (row_.is_announced) batch.Announce();
    return Verdict::kCommit;
  }

  void Done(StorageResult<void> status) override {
    const bool is_decided = status && is_row_as_known_;
    changes_.Finish(is_decided && table_state_);
    if (!status) return done_.set_value(std::unexpected(FromStorage(status.error())));
    if (is_decided && !table_state_) {
      return done_.set_value(std::unexpected(std::move(table_state_).error()));
    }
    done_.set_value(is_decided);
  }

 private:
  // Only the keeper runs jobs, and nobody else may have changed this one.
  bool IsRowAsKnown(std::span<const std::optional<std::string_view>> values) const {
    const Sharing* const sharing = changes_.context().sharing;
    return sharing == nullptr || (sharing->IsKeeper() && values.back() == row_.before);
  }

  GatedChanges changes_;
  TablePtr table_;
  std::vector<std::string> keys_;
  std::vector<Item> items_;
  const JobRow row_;
  std::promise<Result<bool>> done_;

  // Set each time Decide runs.
  bool is_row_as_known_ = false;
  Result<void> table_state_;  // whether the table still exists
};

}  // namespace

std::expected<std::unique_ptr<transfer::ImportReader>, JobFailure> OpenInput(
    const transfer::ObjectStore& objects, transfer::ImportSource source,
    transfer::ImportProgress progress) {
  const std::string place = fmt::format("s3://{}/{}", source.bucket, source.prefix);
  if (!objects.HasBucket(source.bucket)) {
    return std::unexpected(JobFailure{
        "S3NoSuchBucket", fmt::format("The specified bucket does not exist: {}", source.bucket)});
  }
  auto reader = transfer::ImportReader::Open(objects, std::move(source), std::move(progress));
  if (!reader) return std::unexpected(FailureOf(reader.error()));
  if ((*reader)->object_count() == 0) {
    return std::unexpected(
        JobFailure{"S3NoSuchKey", fmt::format("There are no objects below {}", place)});
  }
  return *std::move(reader);
}

transfer::TransferResult<LoadSlice> ReadSlice(transfer::ImportReader& reader, const Table& table) {
  LoadSlice slice;
  std::size_t records = 0;
  while (records < kLoadSlice.rows &&
         static_cast<std::size_t>(slice.item_bytes) < kLoadSlice.bytes) {
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

Result<bool> WriteSlice(Store& store, const WriteContext& context, TablePtr table,
                        std::vector<Item> items, JobRow row) {
  auto mutation =
      std::make_unique<LoadMutation>(context, std::move(table), std::move(items), std::move(row));
  std::future<Result<bool>> done = mutation->Future();
  context.gate.Enter(store, std::move(mutation));
  return done.get();
}

JobRow JobRowWriter::Next(std::string key, std::string value) const {
  // All processes wait for an announcement, so there is not one for every slice.
  constexpr std::chrono::seconds kBetweenAnnouncements{1};
  JobRow row{.key = std::move(key), .value = std::move(value), .before = stored_};
  row.is_announced =
      is_shared_ && std::chrono::steady_clock::now() - announced_ > kBetweenAnnouncements;
  return row;
}

void JobRowWriter::Wrote(JobRow row) {
  if (row.is_announced) announced_ = std::chrono::steady_clock::now();
  stored_ = std::move(row.value);
}

}  // namespace stator
