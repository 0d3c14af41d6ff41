#include "engine/store_access.h"

#include <span>

#include "base/try.h"
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

Error FromStorage(const StorageError& error) {
  if (error.kind == StorageError::Kind::kConflict) return Error::TransactionConflict();
  if (error.kind == StorageError::Kind::kTooLong) return TookTooLong();
  if (error.kind == StorageError::Kind::kBusy) return TooBusy();
  return Error::InternalServerError(error.message);
}

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
