#include "storage/store.h"

#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/big_endian.h"

namespace stator {
namespace {

// What MutateAndWait waits for. Lives on the waiting thread's stack.
class Outcome {
 public:
  void Set(StorageResult<void> status) {
    // Notifies under the lock: as soon as it is free, the waiting thread may destroy this object.
    const std::scoped_lock lock(mutex_);
    status_ = std::move(status);
    is_set_.notify_one();
  }
  StorageResult<void> Wait() {
    std::unique_lock lock(mutex_);
    is_set_.wait(lock, [this] { return status_.has_value(); });
    return *std::move(status_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable is_set_;
  std::optional<StorageResult<void>> status_;
};

class AwaitedMutation final : public Mutation {
 public:
  AwaitedMutation(std::unique_ptr<Mutation> mutation, Outcome& outcome)
      : mutation_(std::move(mutation)), outcome_(outcome) {}

  std::span<const std::string> Keys() const override { return mutation_->Keys(); }
  Verdict Decide(std::span<const std::optional<std::string_view>> values,
                 WriteBatch& batch) override {
    return mutation_->Decide(values, batch);
  }
  void Done(StorageResult<void> status) override {
    mutation_->Done(status);
    // Destroyed before the waiting thread goes on, which may own what the mutation refers to.
    mutation_.reset();
    outcome_.Set(std::move(status));
  }

 private:
  std::unique_ptr<Mutation> mutation_;
  Outcome& outcome_;
};

std::unexpected<StorageError> NoCheckpoints() {
  return std::unexpected(
      StorageError{StorageError::Kind::kIo, "this store cannot keep checkpoints"});
}

}  // namespace

StorageResult<void> Store::MakeCheckpoint(std::string_view, std::span<const KeyRange>) {
  return NoCheckpoints();
}
StorageResult<std::unique_ptr<Checkpoint>> Store::OpenCheckpoint(std::string_view) const {
  return NoCheckpoints();
}
StorageResult<void> Store::DeleteCheckpoint(std::string_view) { return {}; }
StorageResult<std::vector<std::string>> Store::ListCheckpoints() const {
  return std::vector<std::string>();
}

StorageResult<void> Store::ImportCheckpoint(std::string_view, const RowsToVisit&) {
  return NoCheckpoints();
}

StorageResult<void> Store::CopyInto(BackupArchive&, std::string_view, std::string_view) {
  return NoCheckpoints();
}

std::string LogKey(std::string_view log, std::uint64_t number) {
  std::string key;
  key.reserve(log.size() + sizeof(number));
  key.append(log);
  AppendBigEndian(key, number, sizeof(number));
  return key;
}

StorageResult<void> MutateAndWait(Store& store, std::unique_ptr<Mutation> mutation) {
  Outcome outcome;
  store.Mutate(std::make_unique<AwaitedMutation>(std::move(mutation), outcome));
  return outcome.Wait();
}

}  // namespace stator
