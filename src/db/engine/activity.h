// Activity: how much clients ask for, so that work that can wait stays out of their way.
#ifndef STATOR_ENGINE_ACTIVITY_H_
#define STATOR_ENGINE_ACTIVITY_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace stator {

// Thread-safe. Counting costs a few nanoseconds: threads do not share what they count in.
class Activity {
 public:
  void CountRequest() { slots_[ThisSlot()].count.fetch_add(1, std::memory_order_relaxed); }

  // Requests so far.
  std::uint64_t Requests() const {
    std::uint64_t sum = 0;
    for (const Slot& slot : slots_) sum += slot.count.load(std::memory_order_relaxed);
    return sum;
  }

 private:
  static constexpr std::size_t kSlots = 16;
  struct alignas(64) Slot {
    std::atomic<std::uint64_t> count = 0;
  };

  static std::size_t ThisSlot() {
    static std::atomic<std::size_t> next = 0;
    thread_local const std::size_t slot = next.fetch_add(1, std::memory_order_relaxed) % kSlots;
    return slot;
  }

  std::array<Slot, kSlots> slots_;
};

// Pace: how long work that is done in slices rests after each. For one thread.
class Pace {
 public:
  using RealTime = std::chrono::steady_clock::time_point;

  explicit Pace(const Activity& clients) : clients_(clients), requests_seen_(clients.Requests()) {}

  // Nothing while nobody has asked for anything lately. Otherwise long enough to leave most of the
  // disk and of the processor to the clients, and not so long that the work never ends.
  std::chrono::milliseconds RestAfter(RealTime began, RealTime ended);

 private:
  const Activity& clients_;
  std::uint64_t requests_seen_;
  RealTime quiet_from_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_ACTIVITY_H_
