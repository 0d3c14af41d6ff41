#include "engine/background.h"

#include <algorithm>
#include <utility>

namespace stator {

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
    for (Resting& resting : duties_) {
      resting.due = now;
      resting.was_woken = resting.is_running;
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
  return std::ranges::all_of(
      duties_, [now](const Resting& resting) { return !resting.has_more && resting.due > now; });
}

Background::Resting* Background::NextDuty() {
  const auto next = std::ranges::min_element(duties_, {}, &Resting::due);
  return next == duties_.end() ? nullptr : &*next;
}

void Background::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    Resting* duty = NextDuty();
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

void Background::Wait(std::unique_lock<std::mutex>& lock, const Resting* duty) {
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

void Background::RunDuty(std::unique_lock<std::mutex>& lock, Resting& resting) {
  busy_ = true;
  resting.is_running = true;
  lock.unlock();
  const Rest rest = resting.duty();
  lock.lock();
  busy_ = false;
  resting.is_running = false;
  // What woke it may have come too late for this slice to see.
  const bool again = std::exchange(resting.was_woken, false);
  resting.has_more = rest.has_more;
  resting.due =
      std::chrono::steady_clock::now() + (again ? std::chrono::milliseconds(0) : rest.time);
}

}  // namespace stator
