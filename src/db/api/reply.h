// Answers that may come later.
#ifndef STATOR_API_REPLY_H_
#define STATOR_API_REPLY_H_

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <utility>

#include "stator/result.h"

namespace stator {

// Called once, at once or later, on any thread.
template <class T>
using Reply = std::move_only_function<void(Result<T>)>;

// Waits for one answer. Lives on the caller's stack: the answering thread is done with it when it
// lets go of the mutex, and not before that does Take return.
template <class T>
class ReplyWaiter {
 public:
  Reply<T> Callback() {
    return [this](Result<T> answer) {
      const std::scoped_lock lock(mutex_);
      answer_.emplace(std::move(answer));
      arrived_.notify_one();
    };
  }
  Result<T> Take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [this] { return answer_.has_value(); });
    return *std::move(answer_);
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::optional<Result<T>> answer_;
};

}  // namespace stator

#endif  // STATOR_API_REPLY_H_
