// Timeouts of many connections with one timer.
//
// Each kind of timeout has a fixed length, so a list to which new entries are added at the end is
// ordered by deadline, and setting or clearing a deadline is a few pointer writes.
#ifndef STATOR_SERVER_DEADLINES_H_
#define STATOR_SERVER_DEADLINES_H_

#include <uv.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>

namespace stator::server {

enum class Wait : std::uint8_t {
  kRequest,  // for the rest of a request
  kIdle,     // for the next request
  kWrite,    // for the peer to take our bytes
  kLinger,   // for the peer to close
  kMemory,   // for memory that others hold
  kNone,
};
inline constexpr std::size_t kWaitKinds = 5;

class Deadlines;

// Base of connections. Leaves its list when it is destroyed.
class Waiter {
 public:
  Waiter() = default;
  ~Waiter();
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;

  Wait waiting_for() const { return kind_; }

 private:
  friend class Deadlines;
  void Unlink();

  Waiter* previous_ = nullptr;
  Waiter* next_ = nullptr;
  std::uint64_t deadline_ms_ = 0;
  Wait kind_ = Wait::kNone;
};

// Not thread-safe.
class Deadlines {
 public:
  using Expired = std::function<void(Waiter&, Wait)>;

  // `expired` runs on the loop when a deadline has passed; the waiter then waits for nothing.
  Deadlines(uv_loop_t* loop, std::array<std::chrono::milliseconds, kWaitKinds> timeouts,
            Expired expired);
  // REQUIRES: Close was called and the loop has run since.
  ~Deadlines() = default;
  Deadlines(const Deadlines&) = delete;
  Deadlines& operator=(const Deadlines&) = delete;

  // A new wait of that kind, from now.
  void Start(Waiter& waiter, Wait kind);
  void Clear(Waiter& waiter);
  // Like Start, but does not restart a wait of the same kind.
  void Continue(Waiter& waiter, Wait kind) {
    if (waiter.kind_ != kind) Start(waiter, kind);
  }
  void Close();

 private:
  void Expire();
  void ArmTimer(std::uint64_t deadline_ms);
  void RearmForEarliest();

  uv_timer_t timer_;
  std::uint64_t armed_for_ms_ = 0;  // 0: not armed
  std::array<std::uint64_t, kWaitKinds> timeouts_ms_;
  std::array<Waiter, kWaitKinds> lists_;  // sentinels of circular lists
  Expired expired_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_DEADLINES_H_
