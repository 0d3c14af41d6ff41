#include "server/completion_queue.h"

#include <utility>

#include "base/work.h"
#include "server/gzip.h"
#include "server/responder.h"

namespace stator::server {

CompletionQueue::CompletionQueue(uv_async_t* wake, Sink sink)
    : sink_(std::move(sink)), wake_(wake) {}

CompletionQueue::~CompletionQueue() {
  for (Exchange* exchange = TakeAll(); exchange != nullptr;) {
    delete std::exchange(exchange, exchange->queue_next);
  }
}

void CompletionQueue::Deliver(std::unique_ptr<Exchange> exchange) {
  if (std::this_thread::get_id() == loop_thread_.load(std::memory_order_relaxed)) {
    sink_(std::move(exchange));
    return;
  }
  Exchange* delivered = exchange.release();
  Exchange* head = newest_.load(std::memory_order_relaxed);
  do {
    delivered->queue_next = head;
  } while (!newest_.compare_exchange_weak(head, delivered, std::memory_order_release,
                                          std::memory_order_relaxed));
  // The delivery that finds the queue empty wakes the loop; the others ride along.
  if (head == nullptr) Wake();
}

void CompletionQueue::Wake() {
  const std::scoped_lock lock(wake_mutex_);
  if (wake_ != nullptr) uv_async_send(wake_);
}

void CompletionQueue::Drain(const std::function<void()>& between) {
  Exchange* exchange = TakeAll();
  between();
  while (exchange != nullptr) {
    Exchange* current = std::exchange(exchange, exchange->queue_next);
    current->queue_next = nullptr;
    sink_(std::unique_ptr<Exchange>(current));
  }
}

void CompletionQueue::Close() {
  const std::scoped_lock lock(wake_mutex_);
  wake_ = nullptr;
  // The thread's id may be given to another thread once this one has ended.
  loop_thread_.store({});
}

Exchange* CompletionQueue::TakeAll() {
  Exchange* newest = newest_.exchange(nullptr, std::memory_order_acquire);
  Exchange* oldest = nullptr;
  while (newest != nullptr) {
    Exchange* next = std::exchange(newest->queue_next, oldest);
    oldest = std::exchange(newest, next);
  }
  return oldest;
}

PendingAnswer::~PendingAnswer() {
  if (!exchange_) return;
  (*this)({.http_status = 500,
           .body = R"({"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError",)"
                   R"("message":"The request was dropped."})",
           .error_name = ErrorName(ErrorCode::kInternalServerError)});
}

void PendingAnswer::operator()(RequestHandler::Answer answer) {
  exchange_->answer = std::move(answer);
  if (Work::HasThread()) {
    thread_local Gzip gzip;
    PackIfWanted(*exchange_, gzip);
  }
  queue_->Deliver(std::move(exchange_));
}

}  // namespace stator::server
