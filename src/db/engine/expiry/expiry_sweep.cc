#include "engine/expiry/expiry_sweep.h"

#include <algorithm>
#include <future>
#include <utility>

#include "base/log.h"
#include "base/try.h"
#include "engine/engine.h"
#include "engine/expiry/expiry.h"
#include "engine/write/write_path.h"

namespace stator {
namespace {

// Few enough that a client's write does not wait long behind them.
constexpr std::size_t kSliceItems = 25;
constexpr std::chrono::milliseconds kRest{500};
constexpr std::chrono::milliseconds kLongScan{1};
constexpr int kRestPerLongScan = 100;

// Deletes those of the items that are still due when it is decided.
class DeleteExpired final : public Mutation {
 public:
  struct Context {
    const Catalog& catalog;
    const KeyHasher& hasher;
    WriteGate& gate;
    TimeMs now;
    std::int64_t first_second;
    std::int64_t end_second;
  };

  DeleteExpired(const Context& context, TablePtr table, std::vector<std::string> row_keys,
                std::vector<std::string> expiry_keys, std::promise<StorageResult<std::size_t>> done)
      : context_(context),
        table_(std::move(table)),
        row_keys_(std::move(row_keys)),
        expiry_keys_(std::move(expiry_keys)),
        done_(std::move(done)) {}

  std::span<const std::string> Keys() const override { return row_keys_; }

  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    counts_.clear();
    deleted_ = 0;
    const TablePtr newest = context_.catalog.Newest(table_);
    if (!newest || !newest->time_to_live) return Verdict::kAbandon;
    for (std::size_t i = 0; i < values.size(); ++i) {
      // A row that nothing stands behind would be found again and again.
      if (!values[i]) batch.Delete(expiry_keys_[i]);
      if (!values[i] || !IsDue(*newest, ItemView(*values[i]))) continue;
      const ItemChange change{*newest,      row_keys_[i], ItemView(*values[i]),
                              std::nullopt, context_.now, ChangeOrigin::kTimeToLive};
      WriteChange(context_.hasher, change, batch, counts_, nullptr);
      ++deleted_;
    }
    table_ = newest;  // keeps the counts alive
    return Verdict::kCommit;
  }

  void Done(StorageResult<void> status) override {
    if (status) {
      for (const CountChange& change : counts_) {
        change.counts->items.fetch_add(change.items, std::memory_order_relaxed);
        change.counts->bytes.fetch_add(change.bytes, std::memory_order_relaxed);
      }
    }
    context_.gate.Leave();
    if (!status) return done_.set_value(std::unexpected(std::move(status).error()));
    done_.set_value(deleted_);
  }

 private:
  // The item may have been renewed, or the attribute changed, since its row was read.
  bool IsDue(const Table& table, ItemView item) const {
    const auto second = ExpirySecond(table.time_to_live->attribute, item);
    return second && *second >= context_.first_second && *second < context_.end_second;
  }

  const Context context_;
  TablePtr table_;
  const std::vector<std::string> row_keys_;
  const std::vector<std::string> expiry_keys_;
  std::promise<StorageResult<std::size_t>> done_;
  std::vector<CountChange> counts_;
  std::size_t deleted_ = 0;
};

std::int64_t FirstSecond(std::int64_t now) {
  return std::max<std::int64_t>(now - kExpiryHorizonSeconds, 0);
}

}  // namespace

Background::Rest ExpirySweep::Step() {
  const auto began = std::chrono::steady_clock::now();
  const std::int64_t now =
      std::chrono::floor<std::chrono::seconds>(clock_.Now()).time_since_epoch().count();
  std::int64_t lag = 0;
  bool found_more = false;
  for (const TablePtr& table : catalog_.All()) {
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
  if (!found_more) return kRest;
  return {pace_.RestAfter(began, std::chrono::steady_clock::now()), /*more=*/true};
}

// Every row that is deleted leaves a mark in the store until it is compacted, and a scan goes over
// all of them: so each begins where the last one ended. An item that is written with a time long past
// stands before that place. When nothing is left behind it, the scan begins at the beginning; when
// that takes long, it is done less often.
Result<ExpirySweep::Due> ExpirySweep::FindDue(const Table& table, std::int64_t now) {
  const std::string first = ExpiryRows(table.number, FirstSecond(now), 0).begin;
  Place& place = places_[table.number];
  const bool is_amidst = place.cursor > first;
  ASSIGN_OR_RETURN(Due due, FindDueFrom(is_amidst ? place.cursor : first, table, now));
  if (due.row_keys.empty() && is_amidst) {
    const auto began = std::chrono::steady_clock::now();
    if (began < place.next_pass) return due;
    ASSIGN_OR_RETURN(due, FindDueFrom(first, table, now));
    const auto ended = std::chrono::steady_clock::now();
    if (ended - began > kLongScan) place.next_pass = ended + kRestPerLongScan * (ended - began);
  }
  if (!due.row_keys.empty()) place.cursor = due.expiry_keys.back();
  return due;
}

Result<ExpirySweep::Due> ExpirySweep::FindDueFrom(const std::string& begin, const Table& table,
                                                  std::int64_t now) const {
  Due due;
  // An item expires when its time is past: not yet in that very second.
  const std::string end = ExpiryRows(table.number, 0, std::max<std::int64_t>(now, 0)).end;
  if (begin >= end) return due;
  const StorageResult<void> scanned =
      store_.Scan({begin, end}, Direction::kForward, [&](std::string_view key, std::string_view) {
        std::optional<ExpiryRow> row = ReadExpiryKey(key);
        if (!row) return true;
        if (due.row_keys.empty()) due.oldest_second = row->second;
        due.row_keys.push_back(std::move(row->row_key));
        due.expiry_keys.emplace_back(key);
        return due.row_keys.size() < kSliceItems;
      });
  if (!scanned) return std::unexpected(FromStorage(scanned.error()));
  // Nobody has looked at these items for long: read here, they are at hand when the writer, for whom
  // clients wait, reads them.
  std::string item;
  for (const std::string& row_key : due.row_keys) {
    if (const StorageResult<bool> found = store_.Get(row_key, item); !found) {
      return std::unexpected(FromStorage(found.error()));
    }
  }
  return due;
}

Result<void> ExpirySweep::Delete(const TablePtr& table, Due due, std::int64_t now) {
  std::promise<StorageResult<std::size_t>> done;
  std::future<StorageResult<std::size_t>> answer = done.get_future();
  const DeleteExpired::Context context{catalog_,     hasher_,          gate_,
                                       clock_.Now(), FirstSecond(now), now};
  gate_.Enter(store_, std::make_unique<DeleteExpired>(context, table, std::move(due.row_keys),
                                                      std::move(due.expiry_keys), std::move(done)));
  const StorageResult<std::size_t> deleted = answer.get();
  if (!deleted) return std::unexpected(FromStorage(deleted.error()));
  deleted_items_ += *deleted;
  return {};
}

}  // namespace stator
