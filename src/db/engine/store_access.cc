#include "engine/store_access.h"

#include <atomic>
#include <chrono>
#include <span>

#include "base/log.h"
#include "base/try.h"
#include "base/work.h"
#include "engine/sharing/scope.h"
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
  RangeDeletion(KeyRange rows, const std::function<bool()>& is_wanted, bool& is_done)
      : rows_(std::move(rows)), is_wanted_(is_wanted), is_done_(is_done) {}
  Verdict Decide(Values, WriteBatch& batch) override {
    is_done_ = !is_wanted_ || is_wanted_();
    if (!is_done_) return Verdict::kAbandon;
    batch.DeleteRange(rows_);
    return Verdict::kCommit;
  }

 private:
  const KeyRange rows_;
  const std::function<bool()>& is_wanted_;
  bool& is_done_;
};

// Of the catalog. `is_stale` becomes true, and nothing is written, if they must be committed by an
// edition that is not the newest any more.
class RawRowsMutation final : public BlindMutation {
 public:
  explicit RawRowsMutation(RawRows rows) : rows_(std::move(rows)) {}
  RawRowsMutation(RawRows rows, const Sharing& sharing, std::uint64_t edition, bool& is_stale)
      : rows_(std::move(rows)), sharing_(&sharing), edition_(edition), is_stale_(&is_stale) {}
  Verdict Decide(Values, WriteBatch& batch) override {
    if (sharing_ != nullptr) {
      *is_stale_ = sharing_->Edition() != edition_;
      if (*is_stale_) return Verdict::kAbandon;
    }
    for (const auto& [key, value] : rows_) {
      if (value) {
        batch.Put(key, *value);
      } else {
        batch.Delete(key);
      }
    }
    batch.Announce();
    return Verdict::kCommit;
  }

 private:
  const RawRows rows_;
  const Sharing* const sharing_ = nullptr;  // null: by any edition
  const std::uint64_t edition_ = 0;
  bool* const is_stale_ = nullptr;
};

// Carries out another mutation if this process is the keeper.
class KeeperMutation final : public Mutation {
 public:
  KeeperMutation(const Sharing& sharing, std::unique_ptr<Mutation> mutation, bool& is_keeper)
      : sharing_(sharing), mutation_(std::move(mutation)), is_keeper_(is_keeper) {}
  std::span<const std::string> Keys() const override { return mutation_->Keys(); }
  Verdict Decide(Values values, WriteBatch& batch) override {
    is_keeper_ = sharing_.IsKeeper();
    return is_keeper_ ? mutation_->Decide(values, batch) : Verdict::kAbandon;
  }
  void Done(StorageResult<void> status) override { mutation_->Done(std::move(status)); }

 private:
  const Sharing& sharing_;
  const std::unique_ptr<Mutation> mutation_;
  bool& is_keeper_;
};

// Returns when every process knows the rows that were just written. They are written in any case.
void WaitUntilAllKnow(Sharing& sharing) {
  const StorageResult<void> known = sharing.WaitUntilAllKnow();
  if (known) return;
  Log(LogLevel::kWarning, "not every server may know of a change of the catalog yet",
      {{"error", known.error().message}});
}

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
  const Sharing* const sharing = store.sharing();
  if (sharing == nullptr || !KeeperScope::IsActive()) {
    return FromStorage(MutateAndWait(store, std::move(mutation)));
  }
  bool is_keeper = true;
  RETURN_IF_ERROR(FromStorage(MutateAndWait(
      store, std::make_unique<KeeperMutation>(*sharing, std::move(mutation), is_keeper))));
  if (is_keeper) return {};
  return std::unexpected(Error::InternalServerError("another server goes on with this work"));
}

Result<void> WriteRawRows(Store& store, RawRows rows) {
  RETURN_IF_ERROR(RunMutation(store, std::make_unique<RawRowsMutation>(std::move(rows))));
  if (Sharing* const sharing = store.sharing()) WaitUntilAllKnow(*sharing);
  return {};
}

Result<void> WriteCatalogRows(Store& store, const std::function<Result<RawRows>()>& compute) {
  Sharing* const sharing = store.sharing();
  if (sharing == nullptr) {
    ASSIGN_OR_RETURN(RawRows rows, compute());
    if (rows.empty()) return {};
    return WriteRawRows(store, std::move(rows));
  }
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    // Before anything is looked at: what is learnt in the meantime makes it stale.
    const std::optional<std::uint64_t> required = OperationScope::RequiredEdition();
    const std::uint64_t edition = required.value_or(sharing->Edition());
    ASSIGN_OR_RETURN(RawRows rows, compute());
    if (rows.empty()) return {};
    bool is_stale = false;
    RETURN_IF_ERROR(RunMutation(
        store, std::make_unique<RawRowsMutation>(std::move(rows), *sharing, edition, is_stale)));
    if (!is_stale) {
      OperationScope::NoteChange();
      WaitUntilAllKnow(*sharing);
      return {};
    }
    if (required) {
      OperationScope::NoteStale();
      break;
    }
  }
  return std::unexpected(CatalogIsContended());
}

Result<void> WaitForWriters(Store& store) {
  return RunMutation(store, std::make_unique<Barrier>());
}

Result<void> ClearRows(Store& store, KeyRange rows, const std::function<bool()>& is_wanted) {
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, ClearSlice(store, rows, is_wanted));
    if (!more) return {};
  }
}

Result<bool> ClearSlice(Store& store, KeyRange& rows, const std::function<bool()>& is_wanted) {
  constexpr SliceLimits kClearedSlice{.rows = 2'000, .bytes = std::size_t{8} << 20};
  KeyRange slice = rows;
  if (store.sharing() != nullptr) {
    ASSIGN_OR_RETURN(const std::vector<std::string> keys, FirstKeys(store, rows, kClearedSlice));
    if (keys.empty()) return false;
    slice.end = KeyAfter(keys.back());
    rows.begin = slice.end;
  }
  bool is_done = false;
  RETURN_IF_ERROR(
      RunMutation(store, std::make_unique<RangeDeletion>(std::move(slice), is_wanted, is_done)));
  return is_done && store.sharing() != nullptr;
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
