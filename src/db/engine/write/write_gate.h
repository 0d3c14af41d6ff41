// Lets writes pass, and can hold them back for a moment in which none is in flight: the only
// moments in which what a view of the store shows and what writers have counted are the same.
#ifndef STATOR_ENGINE_WRITE_WRITE_GATE_H_
#define STATOR_ENGINE_WRITE_WRITE_GATE_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "storage/store.h"

namespace stator {

// Thread-safe.
class WriteGate {
 public:
  // Hands the mutation to the store, at once or when the gate opens again. The mutation must call
  // Leave when it is done.
  void Enter(Store& store, std::unique_ptr<Mutation> mutation);
  void Leave();

  // Runs `look` while no mutation is between Enter and Leave. `look` must be quick and must not
  // write. REQUIRES: one caller at a time, and not from a mutation.
  void WhileNothingIsInFlight(Store& store, const std::function<void()>& look);

 private:
  std::atomic<std::int64_t> in_flight_ = 0;
  std::atomic<bool> closed_ = false;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Mutation>> held_;  // guarded by mutex_
};

}  // namespace stator

#endif  // STATOR_ENGINE_WRITE_WRITE_GATE_H_
