#include "engine/background.h"

#include <algorithm>
#include <utility>

namespace stator {

Background::Background() : thread_([this] { Run(); }) {}

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
    const bool is_due = duty && duty->due <= std::chrono::steady_clock::now();
    if (!tasks_.empty()) {
      RunTask(lock);
    } else if (stopping_) {
      return;
    } else if (!slices_.empty() && (!is_due || !duty_is_next_)) {
      RunSlice(lock);
      duty_is_next_ = true;
    } else if (is_due) {
      RunDuty(lock, *duty);
      duty_is_next_ = false;
    } else if (duty) {
      idle_.notify_all();
      wake_.wait_until(lock, duty->due);
    } else {
      idle_.notify_all();
      wake_.wait(lock);
    }
  }
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
  const bool more = slice();
  if (!more) slice = nullptr;
  lock.lock();
  busy_ = false;
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
