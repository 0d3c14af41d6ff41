#include "engine/store_access.h"

#include <atomic>
#include <chrono>
#include <span>

#include "base/log.h"
#include "base/try.h"
#include "base/work.h"
#include "value/key_codec.h"

namespace stator {
namespace {

using Values = std::span<const std::optional<std::string_view>>;

// Writes without reading anything first.
class BlindMutation : public Mutation {
 public:
  std::span<const std::string> Keys() const final { return {}; }
  void Done(StorageResult<void>) final {}
};

class Barrier final : public BlindMutation {
 public:
  Verdict Decide(Values, WriteBatch&) override { return Verdict::kCommit; }
};

class RangeDeletion final : public BlindMutation {
 public:
  explicit RangeDeletion(KeyRange rows) : rows_(std::move(rows)) {}
  Verdict Decide(Values, WriteBatch& batch) override {
    batch.DeleteRange(rows_);
    return Verdict::kCommit;
  }

 private:
  const KeyRange rows_;
};

class RawRowsMutation final : public BlindMutation {
 public:
  explicit RawRowsMutation(RawRows rows) : rows_(std::move(rows)) {}
  Verdict Decide(Values, WriteBatch& batch) override {
    for (const auto& [key, value] : rows_) {
      if (value) {
        batch.Put(key, *value);
      } else {
        batch.Delete(key);
      }
    }
    return Verdict::kCommit;
  }

 private:
  const RawRows rows_;
};

// Whether the log can take another line about failures: they may come by the thousand.
bool MayLogFailure() {
  static std::atomic<std::int64_t> last_ms = 0;
  const std::int64_t now_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                                  std::chrono::steady_clock::now().time_since_epoch())
                                  .count();
  std::int64_t last = last_ms.load();
  return now_ms - last >= 1000 && last_ms.compare_exchange_strong(last, now_ms);
}

}  // namespace

Error TookTooLong() {
  return Error::RequestLimitExceeded(
      "The request was ended because it took too much processor time, and nothing was written. Ask "
      "for less at once: fewer items or a simpler expression.");
}

Error TooBusy() {
  return Error::Throttling(
      "Too many requests are waiting, and this one was not carried out. Try again later.");
}

std::string_view ClientText(StorageError::Kind kind) {
  using Kind = StorageError::Kind;
  switch (kind) {
    case Kind::kNoSpace:
      return "The server's disk is full. Nothing is written until there is space again.";
    case Kind::kReadOnly:
      return "Nothing is written since an earlier write failed, until the server is restarted. Its "
             "log says what failed.";
    case Kind::kCorrupt:
      return "The server found damage in its files. Its log says where.";
    case Kind::kClosed:
      return "The server is shutting down. Nothing was written.";
    case Kind::kIo:
    case Kind::kLocked:
    case Kind::kForeign:
    case Kind::kConflict:
    case Kind::kTooLong:
    case Kind::kBusy:
      break;
  }
  return "The server could not read or write its files. Its log says what failed.";
}

Error FromStorage(const StorageError& error) {
  using Kind = StorageError::Kind;
  if (error.kind == Kind::kConflict) return Error::TransactionConflict();
  if (error.kind == Kind::kTooLong) return TookTooLong();
  if (error.kind == Kind::kBusy) return TooBusy();
  // The store has told the log about these itself.
  const bool is_known =
      error.kind == Kind::kNoSpace || error.kind == Kind::kReadOnly || error.kind == Kind::kClosed;
  // Nothing failed if the request only must not wait for a disk on this thread.
  const bool goes_on = Work::CurrentEnd() == Work::End::kElsewhere;
  if (!is_known && !goes_on && MayLogFailure()) {
    Log(LogLevel::kError, "the store failed", {{"error", error.message}});
  }
  return Error::InternalServerError(std::string(ClientText(error.kind)));
}

Error ForOperator(const StorageError& error) { return Error::InternalServerError(error.message); }

Result<void> RunMutation(Store& store, std::unique_ptr<Mutation> mutation) {
  return FromStorage(MutateAndWait(store, std::move(mutation)));
}

Result<void> WriteRawRows(Store& store, RawRows rows) {
  return RunMutation(store, std::make_unique<RawRowsMutation>(std::move(rows)));
}

Result<void> WaitForWriters(Store& store) {
  return RunMutation(store, std::make_unique<Barrier>());
}

Result<void> ClearRows(Store& store, const KeyRange& rows) {
  return RunMutation(store, std::make_unique<RangeDeletion>(rows));
}

KeyRange RowsWithPrefix(std::string prefix) {
  std::string end = PrefixEnd(prefix);
  return {std::move(prefix), std::move(end)};
}

std::string KeyAfter(std::string_view key) {
  std::string next(key);
  next.push_back('\0');
  return next;
}

Result<std::vector<std::string>> FirstKeys(const Store& store, const KeyRange& range,
                                           const SliceLimits& limits) {
  std::vector<std::string> keys;
  std::size_t bytes = 0;
  RETURN_IF_ERROR(FromStorage(
      store.Scan(range, Direction::kForward, [&](std::string_view key, std::string_view value) {
        keys.emplace_back(key);
        bytes += value.size();
        return keys.size() < limits.rows && bytes < limits.bytes;
      })));
  return keys;
}

}  // namespace stator
