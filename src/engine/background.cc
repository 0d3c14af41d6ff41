#include "engine/background.h"

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

void Background::WaitUntilIdle() {
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return !busy_ && tasks_.empty() && slices_.empty(); });
}

void Background::Run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return stopping_ || !tasks_.empty() || !slices_.empty(); });
    if (!tasks_.empty()) {
      Task task = std::move(tasks_.front());
      tasks_.pop_front();
      busy_ = true;
      lock.unlock();
      task();
      task = nullptr;  // what it holds is freed outside the lock
      lock.lock();
    } else if (stopping_) {
      return;
    } else {
      Slice slice = std::move(slices_.front());
      slices_.pop_front();
      busy_ = true;
      lock.unlock();
      const bool more = slice();
      if (!more) slice = nullptr;
      lock.lock();
      if (more) slices_.push_back(std::move(slice));
    }
    busy_ = false;
    if (tasks_.empty() && slices_.empty()) idle_.notify_all();
  }
}

}  // namespace stator
