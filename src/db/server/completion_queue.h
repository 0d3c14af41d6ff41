// How an answer finds its way back to the loop that asked.
//
// Any thread delivers; the loop's thread takes. An answer delivered on the loop's own thread goes
// straight to the sink, without a hop. Many deliveries between two turns of the loop cost one
// wake-up.
#ifndef STATOR_SERVER_COMPLETION_QUEUE_H_
#define STATOR_SERVER_COMPLETION_QUEUE_H_

#include <uv.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "server/exchange.h"

namespace stator::server {

class CompletionQueue {
 public:
  using Sink = std::function<void(std::unique_ptr<Exchange>)>;

  // `wake` and what `sink` uses must live until Close.
  CompletionQueue(uv_async_t* wake, Sink sink);
  // Frees what was delivered after Close.
  ~CompletionQueue();
  CompletionQueue(const CompletionQueue&) = delete;
  CompletionQueue& operator=(const CompletionQueue&) = delete;

  // Loop's thread, before it runs anything else.
  void BindToThisThread() { loop_thread_.store(std::this_thread::get_id()); }
  // Any thread.
  void Deliver(std::unique_ptr<Exchange> exchange);
  // Any thread: makes the loop check the queue.
  void Wake();
  // Loop's thread: gives everything delivered so far to the sink, oldest first. `between` runs after
  // the queue was emptied and before the sink gets anything.
  void Drain(const std::function<void()>& between);
  // Loop's thread: later deliveries are kept until the queue dies.
  void Close();

 private:
  Exchange* TakeAll();

  std::atomic<Exchange*> newest_ = nullptr;
  std::atomic<std::thread::id> loop_thread_;
  Sink sink_;
  std::mutex wake_mutex_;
  uv_async_t* wake_;  // guarded by wake_mutex_; null once closed
};

// The callback that a handler gets: owns the exchange until it has its answer. Destroyed without
// having been called, it answers InternalServerError, so that no client waits forever.
class PendingAnswer {
 public:
  PendingAnswer(std::shared_ptr<CompletionQueue> queue, std::unique_ptr<Exchange> exchange)
      : queue_(std::move(queue)), exchange_(std::move(exchange)) {}
  PendingAnswer(PendingAnswer&&) noexcept = default;
  PendingAnswer& operator=(PendingAnswer&&) = delete;
  ~PendingAnswer();

  void operator()(RequestHandler::Answer answer);

 private:
  std::shared_ptr<CompletionQueue> queue_;
  std::unique_ptr<Exchange> exchange_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_COMPLETION_QUEUE_H_
