// For tests: a store that an engine uses and does not own.
#ifndef STATOR_ENGINE_TESTING_BORROWED_STORE_H_
#define STATOR_ENGINE_TESTING_BORROWED_STORE_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace stator {

// Forwards to a store that outlives the engine, so that another engine can be opened on it.
class BorrowedStore : public Store {
 public:
  explicit BorrowedStore(Store& store) : store_(store) {}
  Sharing* sharing() const override { return store_.sharing(); }
  void Mutate(std::unique_ptr<Mutation> mutation) override { store_.Mutate(std::move(mutation)); }
  StorageResult<bool> Get(std::string_view key, std::string& value) const override {
    return store_.Get(key, value);
  }
  StorageResult<std::vector<std::optional<std::string>>> MultiGet(
      std::span<const std::string> keys) const override {
    return store_.MultiGet(keys);
  }
  std::unique_ptr<ReadView> Snapshot() const override { return store_.Snapshot(); }
  StorageResult<void> Scan(const KeyRange& range, Direction direction, const Visitor& visit,
                           const ReadView* view, std::int64_t rows_wanted) const override {
    return store_.Scan(range, direction, visit, view, rows_wanted);
  }
  std::uint64_t ApproximateBytes(const KeyRange& range) const override {
    return store_.ApproximateBytes(range);
  }
  StorageResult<void> MakeCheckpoint(std::string_view id,
                                     std::span<const KeyRange> ranges) override {
    return store_.MakeCheckpoint(id, ranges);
  }
  StorageResult<std::unique_ptr<Checkpoint>> OpenCheckpoint(std::string_view id) const override {
    return store_.OpenCheckpoint(id);
  }
  StorageResult<void> DeleteCheckpoint(std::string_view id) override {
    return store_.DeleteCheckpoint(id);
  }
  StorageResult<std::vector<std::string>> ListCheckpoints() const override {
    return store_.ListCheckpoints();
  }
  StorageResult<void> CopyInto(BackupArchive& archive, std::string_view id,
                               std::string_view description) override {
    return store_.CopyInto(archive, id, description);
  }
  std::optional<StorageError> WriteFailure() const override { return store_.WriteFailure(); }
  Stats GetStats() const override { return store_.GetStats(); }

 private:
  Store& store_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_TESTING_BORROWED_STORE_H_
