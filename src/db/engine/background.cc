#include "engine/background.h"

#include <algorithm>
#include <utility>

namespace stator {
namespace {

// The longer a slice takes, the busier the clients are. But on a machine that others keep busy most of
// that time is waiting, and the work must still come to an end.
constexpr int kRestPerWork = 4;
constexpr std::chrono::milliseconds kRestMin{10};
constexpr std::chrono::milliseconds kRestMax{20};

// A client that pauses for a moment is still active, and what a slice leaves to flush and to compact is
// done later.
constexpr std::chrono::seconds kLinger{2};

}  // namespace

std::chrono::milliseconds Pace::RestAfter(RealTime began, RealTime ended) {
  const std::uint64_t requests = clients_.Requests();
  if (requests != requests_seen_) quiet_from_ = ended + kLinger;
  requests_seen_ = requests;
  if (ended >= quiet_from_) return std::chrono::milliseconds(0);
  return std::clamp(std::chrono::ceil<std::chrono::milliseconds>(kRestPerWork * (ended - began)),
                    kRestMin, kRestMax);
}

Background::Background(const Activity& clients) : pace_(clients), thread_([this] { Run(); }) {}

Background::~Background() { Stop(); }

void Background::Stop() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Background::Post(Task task) {
  {
    const std::scoped_lock lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void Background::PostLongWork(Slice slice) {
  {
    const std::scoped_lock lock(mutex_);
    slices_.push_back(std::move(slice));
  }
  wake_.notify_one();
}

void Background::AddDuty(Duty duty) {
  {
    const std::scoped_lock lock(mutex_);
    duties_.push_back({.duty = std::move(duty), .due = std::chrono::steady_clock::now()});
  }
  wake_.notify_one();
}

void Background::WakeDuties() {
  {
    const std::scoped_lock lock(mutex_);
    const RealTime now = std::chrono::steady_clock::now();
    for (ScheduledDuty& scheduled : duties_) {
      scheduled.due = now;
      scheduled.was_woken = scheduled.is_running;
    }
  }
  wake_.notify_one();
}

void Background::WaitUntilIdle() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return IsIdle(); });
}

bool Background::IsIdle() {
  if (busy_ || !tasks_.empty() || !slices_.empty()) return false;
  if (stopping_) return true;
  const RealTime now = std::chrono::steady_clock::now();
  return std::ranges::all_of(duties_, [now](const ScheduledDuty& scheduled) {
    return !scheduled.has_more && scheduled.due > now;
  });
}

Background::ScheduledDuty* Background::NextDuty() {
  const auto next = std::ranges::min_element(duties_, {}, &ScheduledDuty::due);
  return next == duties_.end() ? nullptr : &*next;
}

void Background::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    ScheduledDuty* duty = NextDuty();
    const RealTime now = std::chrono::steady_clock::now();
    const bool is_due = duty && duty->due <= now;
    if (!tasks_.empty()) {
      RunTask(lock);
    } else if (stopping_) {
      return;
    } else if (SliceIsDue(now) && (!is_due || !duty_is_next_)) {
      RunSlice(lock);
      duty_is_next_ = true;
    } else if (is_due) {
      RunDuty(lock, *duty);
      duty_is_next_ = false;
    } else {
      idle_.notify_all();
      Wait(lock, duty);
    }
  }
}

void Background::Wait(std::unique_lock<std::mutex>& lock, const ScheduledDuty* duty) {
  if (!duty && slices_.empty()) return wake_.wait(lock);
  RealTime due = duty ? duty->due : slices_due_;
  if (!slices_.empty()) due = std::min(due, slices_due_);
  wake_.wait_until(lock, due);
}

void Background::RunTask(std::unique_lock<std::mutex>& lock) {
  Task task = std::move(tasks_.front());
  tasks_.pop_front();
  busy_ = true;
  lock.unlock();
  task();
  task = nullptr;  // what it holds is freed outside the lock
  lock.lock();
  busy_ = false;
}

void Background::RunSlice(std::unique_lock<std::mutex>& lock) {
  Slice slice = std::move(slices_.front());
  slices_.pop_front();
  busy_ = true;
  lock.unlock();
  const RealTime began = std::chrono::steady_clock::now();
  const bool more = slice();
  if (!more) slice = nullptr;
  const RealTime ended = std::chrono::steady_clock::now();
  lock.lock();
  busy_ = false;
  slices_due_ = ended + pace_.RestAfter(began, ended);
  if (more) slices_.push_back(std::move(slice));
}

void Background::RunDuty(std::unique_lock<std::mutex>& lock, ScheduledDuty& scheduled) {
  busy_ = true;
  scheduled.is_running = true;
  lock.unlock();
  const Rest rest = scheduled.duty();
  lock.lock();
  busy_ = false;
  scheduled.is_running = false;
  // This slice may have missed what it was woken for.
  const bool again = std::exchange(scheduled.was_woken, false);
  scheduled.has_more = rest.has_more;
  scheduled.due =
      std::chrono::steady_clock::now() + (again ? std::chrono::milliseconds(0) : rest.time);
}

}  // namespace stator
