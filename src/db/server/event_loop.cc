#include "server/event_loop.h"

#include <pthread.h>

#include <string_view>
#include <utility>

#include "base/check.h"
#include "base/log.h"
#include "server/listener.h"
#include "server/options.h"

namespace stator::server {
namespace {

constexpr std::string_view kBusy =
    "HTTP/1.1 503 Service Unavailable\r\nServer: Server\r\nContent-Length: 0\r\n"
    "Connection: close\r\n\r\n";

uv_handle_t* AsHandle(auto* handle) { return reinterpret_cast<uv_handle_t*>(handle); }

void TryWriteBusy(uv_stream_t* stream) {
  const uv_buf_t answer = uv_buf_init(const_cast<char*>(kBusy.data()), kBusy.size());
  uv_try_write(stream, &answer, 1);
}

uv_loop_t* Initialized(uv_loop_t* loop) {
  STATOR_CHECK(uv_loop_init(loop) == 0);
  return loop;
}

}  // namespace

EventLoop::EventLoop(Shared& shared, int listening_socket)
    : shared_(shared),
      read_buffer_(std::make_unique_for_overwrite<char[]>(kReadBufferBytes)),
      responder_(gzip_),
      queue_(std::make_shared<CompletionQueue>(
          &wake_,
          [this](std::unique_ptr<Exchange> exchange) { OnDelivered(std::move(exchange)); })),
      router_({.handler = shared.handler,
               .authenticator = shared.authenticator,
               .admin_is_signed = !shared.options.credentials_file.empty(),
               .listening_host = shared.options.host,
               .access = AccessRules(shared.options),
               .queue = queue_,
               .gzip = gzip_,
               .metrics = metrics_,
               .metrics_page = shared.metrics_page}),
      deadlines_(
          Initialized(&loop_),
          {shared.options.read_timeout, shared.options.idle_timeout, shared.options.write_timeout,
           shared.options.linger_timeout, shared.options.memory_timeout},
          [](Waiter& waiter, Wait kind) { static_cast<Connection&>(waiter).OnDeadline(kind); }),
      services_{.loop = &loop_,
                .options = shared.options,
                .pool = pool_,
                .deadlines = deadlines_,
                .router = router_,
                .responder = responder_,
                .metrics = metrics_,
                .read_buffer = read_buffer_.get(),
                .memory_waiters = {},
                .on_memory_wait = [this] { StartMemoryTimer(); },
                .on_closed = [this](Connection& connection) { OnClosed(connection); }} {
  uv_async_init(&loop_, &wake_,
                [](uv_async_t* wake) { static_cast<EventLoop*>(wake->data)->OnWake(); });
  wake_.data = this;
  uv_timer_init(&loop_, &stop_timer_);
  stop_timer_.data = this;
  uv_timer_init(&loop_, &memory_timer_);
  memory_timer_.data = this;
  uv_tcp_init(&loop_, &listener_);
  listener_.data = this;
  STATOR_CHECK(uv_tcp_open(&listener_, listening_socket) == 0);
}

EventLoop::~EventLoop() {
  STATOR_CHECK(!thread_.joinable());
  queue_->Close();
  deadlines_.Close();
  for (uv_handle_t* handle :
       {AsHandle(&wake_), AsHandle(&stop_timer_), AsHandle(&memory_timer_), AsHandle(&listener_)}) {
    if (!uv_is_closing(handle)) uv_close(handle, nullptr);
  }
  uv_run(&loop_, UV_RUN_DEFAULT);
  STATOR_CHECK(uv_loop_close(&loop_) == 0);
}

void EventLoop::Start() {
  thread_ = std::thread([this] { Run(); });
  pthread_setname_np(thread_.native_handle(), "stator-loop");
}

void EventLoop::RequestStop() {
  stop_requested_.store(true);
  queue_->Wake();
}

void EventLoop::Join() {
  if (thread_.joinable()) thread_.join();
}

void EventLoop::Run() {
  queue_->BindToThisThread();
  const int result = uv_listen(reinterpret_cast<uv_stream_t*>(&listener_), kListenBacklog,
                               [](uv_stream_t* listener, int status) {
                                 static_cast<EventLoop*>(listener->data)->OnIncoming(status);
                               });
  if (result != 0) Log(LogLevel::kError, "cannot accept", {{"reason", uv_strerror(result)}});
  uv_run(&loop_, UV_RUN_DEFAULT);
}

void EventLoop::OnWake() {
  // After the answers are taken and before they are delivered: an answer that was completed after the
  // stop was requested must say that its connection closes.
  queue_->Drain([this] {
    if (stop_requested_.load() && !stopping_) BeginStop();
  });
}

void EventLoop::OnIncoming(int status) {
  if (status != 0) {
    Log(LogLevel::kWarning, "cannot accept a connection", {{"reason", uv_strerror(status)}});
    return;
  }
  if (AtConnectionLimit()) return RefuseIncoming();
  auto connection = std::make_unique<Connection>(services_);
  Connection& added = *connection;
  connections_.emplace(&added, std::move(connection));
  metrics_.connections_opened.Add(1);
  if (uv_accept(reinterpret_cast<uv_stream_t*>(&listener_), added.stream()) != 0) {
    return added.Close();
  }
  if (added.Join(*shared_.memory)) return added.Start();
  metrics_.connections_refused.Add(1);
  TryWriteBusy(added.stream());
  added.Close();
}

// Counts the new connection, unless there are too many.
bool EventLoop::AtConnectionLimit() {
  if (shared_.connection_count.fetch_add(1) < shared_.options.connections_max) return false;
  shared_.connection_count.fetch_sub(1);
  return true;
}

void EventLoop::RefuseIncoming() {
  metrics_.connections_refused.Add(1);
  auto refused = std::make_unique<uv_tcp_t>();
  uv_tcp_init(&loop_, refused.get());
  auto* stream = reinterpret_cast<uv_stream_t*>(refused.get());
  if (uv_accept(reinterpret_cast<uv_stream_t*>(&listener_), stream) == 0) TryWriteBusy(stream);
  uv_close(AsHandle(refused.release()),
           [](uv_handle_t* handle) { delete reinterpret_cast<uv_tcp_t*>(handle); });
}

// Other loops give memory back too, so there is nobody to tell us.
void EventLoop::StartMemoryTimer() {
  if (uv_is_active(AsHandle(&memory_timer_)) || uv_is_closing(AsHandle(&memory_timer_))) return;
  const auto period_ms = static_cast<std::uint64_t>(kMemoryRetry.count());
  uv_timer_start(
      &memory_timer_,
      [](uv_timer_t* timer) { static_cast<EventLoop*>(timer->data)->RetryMemory(); }, period_ms,
      period_ms);
}

void EventLoop::RetryMemory() {
  std::vector<Connection*>& waiters = services_.memory_waiters;
  // One that goes on leaves the list, and may join it again at the end.
  retrying_ = true;
  for (std::size_t i = 0, count = waiters.size(); count > 0 && i < waiters.size(); --count) {
    if (i < kWaitersLookedAt && waiters[i]->GiveUpIfPeerIsGone()) continue;
    if (!waiters[i]->RetryMemory()) ++i;
  }
  retrying_ = false;
  if (waiters.empty()) uv_timer_stop(&memory_timer_);
}

void EventLoop::RetryOldest() {
  std::vector<Connection*>& waiters = services_.memory_waiters;
  retrying_ = true;  // those who go on may be answered at once
  for (std::size_t count = waiters.size(); count > 0 && !waiters.empty(); --count) {
    if (!waiters.front()->RetryMemory()) break;
  }
  retrying_ = false;
}

void EventLoop::OnDelivered(std::unique_ptr<Exchange> exchange) {
  if (Connection* connection = exchange->connection) {
    connection->Deliver(std::move(exchange));
  } else {
    responder_.Finish(*exchange);  // its client is gone, but it counts
    pool_.Give(std::move(exchange));
  }
  if (!services_.memory_waiters.empty() && !retrying_) RetryOldest();
}

void EventLoop::OnClosed(Connection& connection) {
  connections_.erase(&connection);
  shared_.connection_count.fetch_sub(1);
  metrics_.connections_closed.Add(1);
  EndIfEmpty();
}

void EventLoop::BeginStop() {
  stopping_ = true;
  uv_close(AsHandle(&listener_), nullptr);
  for (auto& [connection, owned] : connections_) connection->Drain();
  uv_timer_start(
      &stop_timer_,
      [](uv_timer_t* timer) {
        auto& self = *static_cast<EventLoop*>(timer->data);
        for (auto& [connection, owned] : self.connections_) connection->Close();
      },
      static_cast<std::uint64_t>(shared_.options.stop_timeout.count()), 0);
  EndIfEmpty();
}

void EventLoop::EndIfEmpty() {
  if (!stopping_ || !connections_.empty()) return;
  // With its last handles gone, the loop returns.
  queue_->Close();
  deadlines_.Close();
  uv_close(AsHandle(&stop_timer_), nullptr);
  uv_close(AsHandle(&memory_timer_), nullptr);
  uv_close(AsHandle(&wake_), nullptr);
}

}  // namespace stator::server
