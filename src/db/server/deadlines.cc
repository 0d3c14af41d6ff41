#include "server/deadlines.h"

#include <algorithm>
#include <utility>

namespace stator::server {

Waiter::~Waiter() { Unlink(); }

void Waiter::Unlink() {
  if (next_ != nullptr) {
    previous_->next_ = next_;
    next_->previous_ = previous_;
  }
  previous_ = nullptr;
  next_ = nullptr;
  kind_ = Wait::kNone;
}

Deadlines::Deadlines(uv_loop_t* loop, std::array<std::chrono::milliseconds, kWaitKinds> timeouts,
                     Expired expired)
    : expired_(std::move(expired)) {
  uv_timer_init(loop, &timer_);
  timer_.data = this;
  for (std::size_t i = 0; i < kWaitKinds; ++i) {
    timeouts_ms_[i] = static_cast<std::uint64_t>(timeouts[i].count());
    lists_[i].previous_ = &lists_[i];
    lists_[i].next_ = &lists_[i];
  }
}

void Deadlines::Start(Waiter& waiter, Wait kind) {
  waiter.Unlink();
  if (kind == Wait::kNone) return;
  const auto index = static_cast<std::size_t>(kind);
  Waiter& end = lists_[index];
  waiter.kind_ = kind;
  waiter.deadline_ms_ = uv_now(timer_.loop) + timeouts_ms_[index];
  waiter.previous_ = end.previous_;
  waiter.next_ = &end;
  end.previous_->next_ = &waiter;
  end.previous_ = &waiter;
  // The timer may fire too early, if the earliest wait has ended by then, but never too late.
  if (armed_for_ms_ == 0 || waiter.deadline_ms_ < armed_for_ms_) ArmTimer(waiter.deadline_ms_);
}

void Deadlines::Clear(Waiter& waiter) { waiter.Unlink(); }

void Deadlines::Close() {
  armed_for_ms_ = 0;
  if (!uv_is_closing(reinterpret_cast<uv_handle_t*>(&timer_))) {
    uv_close(reinterpret_cast<uv_handle_t*>(&timer_), nullptr);
  }
}

void Deadlines::ArmTimer(std::uint64_t deadline_ms) {
  if (uv_is_closing(reinterpret_cast<uv_handle_t*>(&timer_))) return;
  const std::uint64_t now_ms = uv_now(timer_.loop);
  armed_for_ms_ = deadline_ms;
  uv_timer_start(
      &timer_, [](uv_timer_t* timer) { static_cast<Deadlines*>(timer->data)->Expire(); },
      deadline_ms > now_ms ? deadline_ms - now_ms : 0, 0);
}

void Deadlines::Expire() {
  armed_for_ms_ = 0;
  const std::uint64_t now_ms = uv_now(timer_.loop);
  for (Waiter& list : lists_) {
    // What `expired_` adds has a later deadline, unless a timeout is zero: stop at the old end.
    const Waiter* last = list.previous_;
    while (list.next_ != &list && list.next_->deadline_ms_ <= now_ms) {
      Waiter& waiter = *list.next_;
      const bool was_last = &waiter == last;
      const Wait kind = waiter.kind_;
      waiter.Unlink();
      expired_(waiter, kind);
      if (was_last) break;
    }
  }
  RearmForEarliest();
}

void Deadlines::RearmForEarliest() {
  std::uint64_t earliest_ms = 0;
  for (const Waiter& list : lists_) {
    if (list.next_ == &list) continue;
    if (earliest_ms == 0 || list.next_->deadline_ms_ < earliest_ms) {
      earliest_ms = list.next_->deadline_ms_;
    }
  }
  if (earliest_ms != 0) ArmTimer(earliest_ms);
}

}  // namespace stator::server
