// MutationQueue: mutations on their way to the writer, first in, first out.
#ifndef STATOR_STORAGE_MUTATION_QUEUE_H_
#define STATOR_STORAGE_MUTATION_QUEUE_H_

#include <atomic>
#include <memory>

#include "storage/store.h"

namespace stator {

// Any thread may call Push and HasArrivals, one consumer at a time Pop and HasTaken.
//
// Push and HasArrivals are sequentially consistent: together with another sequentially consistent
// variable they decide which thread takes care of a mutation (writer.cc).
class MutationQueue {
 public:
  MutationQueue() = default;
  MutationQueue(const MutationQueue&) = delete;
  MutationQueue& operator=(const MutationQueue&) = delete;
  ~MutationQueue() {
    while (Pop() != nullptr) {
    }
  }

  void Push(std::unique_ptr<Mutation> mutation) {
    Mutation* pushed = mutation.release();
    pushed->next_ = arrivals_.load(std::memory_order_relaxed);
    while (!arrivals_.compare_exchange_weak(pushed->next_, pushed)) {
    }
  }

  // Null when the queue is empty.
  std::unique_ptr<Mutation> Pop() {
    if (taken_ == nullptr) TakeArrivals();
    Mutation* oldest = taken_;
    if (oldest != nullptr) taken_ = oldest->next_;
    return std::unique_ptr<Mutation>(oldest);
  }

  // Whether there are mutations that no Pop has seen yet.
  bool HasArrivals() const { return arrivals_.load() != nullptr; }
  // Whether there are mutations that a Pop has seen and not returned.
  bool HasTaken() const { return taken_ != nullptr; }

 private:
  // Arrivals are a stack, newest on top; the consumer takes all of it and reverses it.
  void TakeArrivals() {
    Mutation* newest = arrivals_.exchange(nullptr);
    while (newest != nullptr) {
      Mutation* older = newest->next_;
      newest->next_ = taken_;
      taken_ = newest;
      newest = older;
    }
  }

  std::atomic<Mutation*> arrivals_ = nullptr;
  Mutation* taken_ = nullptr;
};

}  // namespace stator

#endif  // STATOR_STORAGE_MUTATION_QUEUE_H_
