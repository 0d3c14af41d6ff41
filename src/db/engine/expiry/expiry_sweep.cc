#include "engine/expiry/expiry_sweep.h"

#include <algorithm>
#include <future>
#include <utility>

#include "base/log.h"
#include "base/try.h"
#include "engine/expiry/expiry.h"
#include "engine/store_access.h"
#include "engine/write/write_path.h"

namespace stator {
namespace {

// Few enough that a client's write does not wait long for them.
constexpr std::size_t kDeletesPerSlice = 25;
constexpr std::chrono::milliseconds kRestOfSweep{500};
constexpr std::chrono::milliseconds kLongScan{1};
constexpr int kRestPerLongScan = 100;

// Deletes the items that are still expired when the mutation is decided.
class DeleteExpired final : public Mutation {
 public:
  // Those that expired in [first_second, end_second).
  struct Seconds {
    std::int64_t first_second;
    std::int64_t end_second;
  };

  DeleteExpired(const WriteContext& context, Seconds seconds, TablePtr table,
                std::vector<std::string> row_keys, std::vector<std::string> expiry_keys)
      : changes_(context),
        seconds_(seconds),
        table_(std::move(table)),
        row_keys_(std::move(row_keys)),
        expiry_keys_(std::move(expiry_keys)) {}

  // How many items were deleted.
  std::future<StorageResult<std::size_t>> Future() { return done_.get_future(); }

  std::span<const std::string> Keys() const override { return row_keys_; }

  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    changes_.Restart();
    deleted_ = 0;
    const Sharing* const sharing = changes_.context().sharing;
    if (sharing != nullptr && !sharing->IsKeeper()) return Verdict::kAbandon;
    const TablePtr newest = changes_.context().catalog.Newest(table_);
    if (!newest || !newest->time_to_live) return Verdict::kAbandon;
    const TimeMs now = changes_.context().clock.Now();
    for (std::size_t i = 0; i < values.size(); ++i) {
      // An expiry row without an item would be found again and again.
      if (!values[i]) batch.Delete(expiry_keys_[i]);
      if (!values[i] || !IsDue(*newest, ItemView(*values[i]))) continue;
      const ItemChange change{*newest,      row_keys_[i], ItemView(*values[i]),
                              std::nullopt, now,          ChangeOrigin::kTimeToLive};
      changes_.Write(change, batch);
      ++deleted_;
    }
    table_ = newest;  // keeps the counts alive
    return Verdict::kCommit;
  }

  void Done(StorageResult<void> status) override {
    changes_.Finish(status.has_value());
    if (!status) return done_.set_value(std::unexpected(std::move(status).error()));
    done_.set_value(deleted_);
  }

 private:
  // The item may have been renewed, or the attribute changed, since its row was read.
  bool IsDue(const Table& table, ItemView item) const {
    const auto second = ExpirySecond(table.time_to_live->attribute, item);
    return second && *second >= seconds_.first_second && *second < seconds_.end_second;
  }

  GatedChanges changes_;
  const Seconds seconds_;
  TablePtr table_;
  const std::vector<std::string> row_keys_;
  const std::vector<std::string> expiry_keys_;
  std::promise<StorageResult<std::size_t>> done_;
  std::size_t deleted_ = 0;
};

std::int64_t FirstSecond(std::int64_t now) {
  return std::max<std::int64_t>(now - kExpiryHorizonSeconds, 0);
}

}  // namespace

Background::Rest ExpirySweep::Step() {
  const auto began = std::chrono::steady_clock::now();
  const std::int64_t now =
      std::chrono::floor<std::chrono::seconds>(context_.clock.Now()).time_since_epoch().count();
  std::int64_t lag = 0;
  bool found_more = false;
  for (const TablePtr& table : context_.catalog.All()) {
    if (!table->time_to_live || table->time_to_live->status != TimeToLiveStatus::kEnabled) continue;
    Result<Due> due = FindDue(*table, now);
    if (due && due->row_keys.empty()) continue;
    if (due) lag = std::max(lag, now - due->oldest_second);
    const Result<void> deleted =
        due ? Delete(table, *std::move(due), now) : std::unexpected(std::move(due).error());
    if (!deleted) {
      Log(LogLevel::kError, "cannot delete expired items; trying again",
          {{"table", table->name}, {"error", deleted.error().message()}});
      continue;
    }
    found_more = true;
  }
  lag_seconds_ = static_cast<std::uint64_t>(lag);
  if (!found_more) return kRestOfSweep;
  return {pace_.RestAfter(began, std::chrono::steady_clock::now()), /*more=*/true};
}

// Every deleted row leaves a tombstone until the store is compacted, and a scan walks over all of
// them. So each scan begins where the last one ended. Items that were written with a time long past
// lie before that position: when nothing is due after it, the scan starts over from the beginning,
// less often if that takes long.
Result<ExpirySweep::Due> ExpirySweep::FindDue(const Table& table, std::int64_t now) {
  const std::string first = ExpiryRows(table.number, FirstSecond(now), 0).begin;
  Position& position = positions_[table.number];
  const bool is_midway = position.cursor > first;
  ASSIGN_OR_RETURN(Due due, FindDueFrom(is_midway ? position.cursor : first, table, now));
  if (due.row_keys.empty() && is_midway) {
    const auto began = std::chrono::steady_clock::now();
    if (began < position.next_pass) return due;
    ASSIGN_OR_RETURN(due, FindDueFrom(first, table, now));
    const auto ended = std::chrono::steady_clock::now();
    if (ended - began > kLongScan) position.next_pass = ended + kRestPerLongScan * (ended - began);
  }
  if (!due.row_keys.empty()) position.cursor = due.expiry_keys.back();
  return due;
}

Result<ExpirySweep::Due> ExpirySweep::FindDueFrom(const std::string& begin, const Table& table,
                                                  std::int64_t now) const {
  Due due;
  // An item expires when its time is past, not yet within that second.
  const std::string end = ExpiryRows(table.number, 0, std::max<std::int64_t>(now, 0)).end;
  if (begin >= end) return due;
  RETURN_IF_ERROR(FromStorage(
      store_.Scan({begin, end}, Direction::kForward, [&](std::string_view key, std::string_view) {
        std::optional<ExpiryRow> row = ReadExpiryKey(key);
        if (!row) return true;
        if (due.row_keys.empty()) due.oldest_second = row->second;
        due.row_keys.push_back(std::move(row->row_key));
        due.expiry_keys.emplace_back(key);
        return due.row_keys.size() < kDeletesPerSlice;
      })));
  // Nobody has read these items for a long time. Reading them here brings them into the caches, so
  // that the writer, for which clients wait, reads them quickly.
  std::string item;
  for (const std::string& row_key : due.row_keys) {
    RETURN_IF_ERROR(FromStorage(store_.Get(row_key, item)));
  }
  return due;
}

Result<void> ExpirySweep::Delete(const TablePtr& table, Due due, std::int64_t now) {
  auto mutation =
      std::make_unique<DeleteExpired>(context_, DeleteExpired::Seconds{FirstSecond(now), now},
                                      table, std::move(due.row_keys), std::move(due.expiry_keys));
  std::future<StorageResult<std::size_t>> done = mutation->Future();
  context_.gate.Enter(store_, std::move(mutation));
  ASSIGN_OR_RETURN(const std::size_t deleted, FromStorage(done.get()));
  deleted_items_ += deleted;
  return {};
}

}  // namespace stator
