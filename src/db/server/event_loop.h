// One event loop on its own thread: accepts connections and owns them.
#ifndef STATOR_SERVER_EVENT_LOOP_H_
#define STATOR_SERVER_EVENT_LOOP_H_

#include <uv.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <unordered_map>

#include "auth/authenticator.h"
#include "server/completion_queue.h"
#include "server/connection.h"

namespace stator::server {

class EventLoop {
 public:
  // What the loops of a server share. All must outlive the loop's thread.
  struct Shared {
    const ServerOptions& options;
    RequestHandler& handler;
    const Authenticator& authenticator;
    std::function<std::string()> metrics_page;
    std::shared_ptr<MemoryBudget> memory;
    std::atomic<std::size_t> connection_count = 0;
  };

  // Takes the listening socket over.
  EventLoop(Shared& shared, int listening_socket);
  // REQUIRES: Join was called if Start was.
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  void Start();
  // Any thread, any number of times: accept nothing more, finish what is in flight, end.
  void RequestStop();
  void Join();

  const LoopMetrics& metrics() const { return metrics_; }

 private:
  void Run();
  void OnWake();
  void OnIncoming(int status);
  void RefuseIncoming();
  void StartMemoryTimer();
  void RetryMemory();
  // An answer has given memory back.
  void RetryOldest();
  void OnDelivered(std::unique_ptr<Exchange> exchange);
  void OnClosed(Connection& connection);
  void BeginStop();
  void EndIfEmpty();
  bool AtConnectionLimit();

  Shared& shared_;
  uv_loop_t loop_;
  uv_tcp_t listener_;
  uv_async_t wake_;
  uv_timer_t stop_timer_;
  uv_timer_t memory_timer_;
  std::atomic<bool> stop_requested_ = false;
  bool stopping_ = false;
  bool retrying_ = false;

  std::unique_ptr<char[]> read_buffer_;
  LoopMetrics metrics_;
  ExchangePool pool_;
  Gzip gzip_;
  Responder responder_;
  std::shared_ptr<CompletionQueue> queue_;
  Router router_;
  Deadlines deadlines_;
  LoopServices services_;
  std::unordered_map<Connection*, std::unique_ptr<Connection>> connections_;
  std::thread thread_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_EVENT_LOOP_H_
