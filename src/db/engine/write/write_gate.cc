#include "engine/write/write_gate.h"

#include <utility>

namespace stator {

// Why none slips through: a writer counts itself first and looks at the gate second, the one who
// closes the gate closes first and looks at the count second, and all four are sequentially
// consistent.
void WriteGate::Enter(Store& store, std::unique_ptr<Mutation> mutation) {
  in_flight_.fetch_add(1);
  if (closed_.load()) [[unlikely]] {
    const std::scoped_lock lock(mutex_);
    if (closed_.load()) {
      held_.push_back(std::move(mutation));
      Leave();
      return;
    }
  }
  store.Mutate(std::move(mutation));
}

void WriteGate::Leave() {
  if (in_flight_.fetch_sub(1) == 1 && closed_.load()) in_flight_.notify_all();
}

void WriteGate::WhileNothingIsInFlight(Store& store, const std::function<void()>& look) {
  closed_.store(true);
  for (std::int64_t flying = in_flight_.load(); flying != 0; flying = in_flight_.load()) {
    in_flight_.wait(flying);
  }
  look();
  std::vector<std::unique_ptr<Mutation>> held;
  {
    const std::scoped_lock lock(mutex_);
    closed_.store(false);
    held.swap(held_);
  }
  for (std::unique_ptr<Mutation>& mutation : held) Enter(store, std::move(mutation));
}

}  // namespace stator
