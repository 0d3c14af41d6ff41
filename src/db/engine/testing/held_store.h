// For tests: a store that can hold mutations back, so that a write stays between its acceptance and
// its answer for as long as a test needs.
#ifndef STATOR_ENGINE_TESTING_HELD_STORE_H_
#define STATOR_ENGINE_TESTING_HELD_STORE_H_

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/testing/borrowed_store.h"
#include "storage/store.h"

namespace stator {

// The rows of such a store. They outlive the stores that MakeStore returns, so that another engine can
// be opened on them.
class HeldRows {
 public:
  // From now on mutations wait.
  void Hold() {
    const std::scoped_lock lock(mutex_);
    holding_ = true;
  }
  // Lets the waiting mutations go, in their order.
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

class HeldStore final : public BorrowedStore {
 public:
  explicit HeldStore(HeldRows& held) : BorrowedStore(held.rows()), held_(held) {}
  void Mutate(std::unique_ptr<Mutation> mutation) override { held_.Mutate(std::move(mutation)); }

 private:
  HeldRows& held_;
};

std::unique_ptr<Store> HeldRows::MakeStore() { return std::make_unique<HeldStore>(*this); }

}  // namespace stator

#endif  // STATOR_ENGINE_TESTING_HELD_STORE_H_
