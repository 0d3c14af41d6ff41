// A store for tests that keeps mutations back until they are let go: what is between its acceptance
// and its answer stays there as long as a test needs.
#ifndef STATOR_ENGINE_TESTING_HELD_STORE_H_
#define STATOR_ENGINE_TESTING_HELD_STORE_H_

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace stator {

// What tests keep a hold on. Outlives the stores that belong to it, so that an engine can be opened
// on the same rows again.
class HeldRows {
 public:
  // From now on mutations wait.
  void Hold() {
    const std::scoped_lock lock(mutex_);
    holding_ = true;
  }
  // Lets all go that wait, in their order.
  void LetGo() {
    std::vector<std::unique_ptr<Mutation>> waiting;
    {
      const std::scoped_lock lock(mutex_);
      holding_ = false;
      waiting.swap(waiting_);
    }
    for (std::unique_ptr<Mutation>& mutation : waiting) rows_->Mutate(std::move(mutation));
  }

  Store& rows() { return *rows_; }
  inline std::unique_ptr<Store> MakeStore();

 private:
  friend class HeldStore;
  void Mutate(std::unique_ptr<Mutation> mutation) {
    {
      const std::scoped_lock lock(mutex_);
      if (holding_) {
        waiting_.push_back(std::move(mutation));
        return;
      }
    }
    rows_->Mutate(std::move(mutation));
  }

  const std::unique_ptr<Store> rows_ = OpenMemoryStore();
  std::mutex mutex_;
  bool holding_ = false;
  std::vector<std::unique_ptr<Mutation>> waiting_;
};

class HeldStore final : public Store {
 public:
  explicit HeldStore(HeldRows& held) : held_(held) {}
  void Mutate(std::unique_ptr<Mutation> mutation) override { held_.Mutate(std::move(mutation)); }
  StorageResult<bool> Get(std::string_view key, std::string& value) const override {
    return held_.rows().Get(key, value);
  }
  StorageResult<std::vector<std::optional<std::string>>> MultiGet(
      std::span<const std::string> keys) const override {
    return held_.rows().MultiGet(keys);
  }
  std::unique_ptr<ReadView> Snapshot() const override { return held_.rows().Snapshot(); }
  StorageResult<void> Scan(const KeyRange& range, Direction direction, const Visitor& visit,
                           const ReadView* view) const override {
    return held_.rows().Scan(range, direction, visit, view);
  }
  std::uint64_t ApproximateBytes(const KeyRange& range) const override {
    return held_.rows().ApproximateBytes(range);
  }
  Stats GetStats() const override { return held_.rows().GetStats(); }

 private:
  HeldRows& held_;
};

std::unique_ptr<Store> HeldRows::MakeStore() { return std::make_unique<HeldStore>(*this); }

}  // namespace stator

#endif  // STATOR_ENGINE_TESTING_HELD_STORE_H_
