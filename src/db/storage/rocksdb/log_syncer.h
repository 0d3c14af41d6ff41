// LogSyncer: calls a function again and again, from a thread of its own.
#ifndef STATOR_STORAGE_ROCKSDB_LOG_SYNCER_H_
#define STATOR_STORAGE_ROCKSDB_LOG_SYNCER_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

namespace stator {

class LogSyncer {
 public:
  LogSyncer(std::chrono::milliseconds period, std::function<void()> sync)
      : period_(period),
        sync_(std::move(sync)),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}
  // The destructor ends the thread, without a last call.

 private:
  void Run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      wake_.wait_for(lock, stop, period_, [] { return false; });
      if (!stop.stop_requested()) sync_();
    }
  }

  const std::chrono::milliseconds period_;
  const std::function<void()> sync_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_LOG_SYNCER_H_
