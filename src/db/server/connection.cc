#include "server/connection.h"

#include <llhttp.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <utility>

#include "server/options.h"

namespace stator::server {
namespace {

constexpr std::string_view kContinue = "HTTP/1.1 100 Continue\r\n\r\n";

constexpr std::size_t kBuffersPerExchange = 2;

// Deflate cannot shrink anything further than this.
constexpr std::size_t kUnpackedRatioMax = 1032;
// What unpacks to so much more than was sent is taken for the worst.
constexpr std::size_t kDecodedRatioMax = 8;

// The buffers of ready exchanges, in order.
class Gather {
 public:
  void Add(const Exchange& exchange) {
    AddBytes(exchange.response_head);
    AddBytes(exchange.answer.body);
  }
  // Forgets the first bytes.
  void Skip(std::size_t bytes) {
    while (bytes > 0) {
      uv_buf_t& first = buffers_[first_];
      if (bytes < first.len) {
        first.base += bytes;
        first.len -= bytes;
        return;
      }
      bytes -= first.len;
      ++first_;
    }
  }
  const uv_buf_t* data() const { return buffers_.data() + first_; }
  unsigned size() const { return static_cast<unsigned>(end_ - first_); }

 private:
  void AddBytes(const std::string& bytes) {
    if (bytes.empty()) return;
    buffers_[end_++] = {const_cast<char*>(bytes.data()), bytes.size()};
  }

  std::array<uv_buf_t, kPipelinedRequestsMax * kBuffersPerExchange> buffers_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
};

RequestHandler::Answer Bare(int status) {
  return {.http_status = status, .body = {}, .error_name = OutcomeName(status)};
}

// What a request takes until it is answered, before it is unpacked and decoded.
std::size_t WorkBytes(Exchange& exchange) {
  const std::size_t size = exchange.body.size();
  if (exchange.is_packed) {
    return std::min(size * kUnpackedRatioMax, kBodyBytesMax) * kDecodedRatioMax;
  }
  return size > kFreeBytesPerConnection ? DecodedBytes(exchange.body.Padded()) : size;
}

}  // namespace

Connection::Connection(LoopServices& services) : services_(services), parser_(services.pool) {
  uv_tcp_init(services_.loop, &tcp_);
  tcp_.data = this;
}

Connection::~Connection() {
  if (charge_.peer()) MemoryBudget::Disconnect(*charge_.peer());
}

bool Connection::Join(MemoryBudget& budget) {
  sockaddr_storage address{};
  int size = sizeof(address);
  uv_tcp_getpeername(&tcp_, reinterpret_cast<sockaddr*>(&address), &size);
  charge_ = MemoryCharge(budget.Connect(PeerKey(reinterpret_cast<const sockaddr&>(address))),
                         MemoryUse::kBody);
  return charge_.peer() != nullptr;
}

void Connection::Start() {
  uv_tcp_nodelay(&tcp_, 1);
  Pump();
}

void Connection::OnRead(ssize_t count, const uv_buf_t* buffer) {
  if (count == 0) return;
  if (count < 0) return OnEndOfStream(count == UV_EOF);
  services_.metrics.bytes_in.Add(static_cast<std::uint64_t>(count));
  if (phase_ != Phase::kOpen) return;  // it would not be answered
  const std::string_view bytes(buffer->base, static_cast<std::size_t>(count));
  // Answers given meanwhile wait for the end of the batch, and go out in one write.
  pumping_ = true;
  const std::size_t consumed = Consume(bytes);
  pumping_ = false;
  if (consumed < bytes.size()) unparsed_ = bytes.substr(consumed);
  Pump();
}

void Connection::OnEndOfStream(bool orderly) {
  reading_ = false;
  peer_done_ = true;
  if (!orderly || phase_ == Phase::kLingering) return Close();
  // Most peers that end their stream are gone, so long work for them ends. One that has only half
  // closed gets the answers that there are.
  for (Exchange* exchange = pending_.front(); exchange != nullptr; exchange = exchange->next) {
    exchange->unwanted.store(true);
  }
  Pump();
}

std::size_t Connection::Consume(std::string_view bytes) {
  std::size_t consumed = 0;
  while (consumed < bytes.size() && phase_ == Phase::kOpen && HasRoom()) {
    const RequestParser::Progress progress = parser_.Feed(bytes.substr(consumed));
    consumed += progress.consumed;
    switch (progress.event) {
      case RequestParser::Event::kNeedMore:
        break;
      case RequestParser::Event::kHead:
        OnHead();
        break;
      case RequestParser::Event::kComplete:
        OnRequest(parser_.TakeRequest());
        break;
      case RequestParser::Event::kRefused:
        Refuse(parser_.refusal_status());
        break;
    }
  }
  return last_request_read_ ? bytes.size() : consumed;
}

void Connection::OnHead() {
  const std::size_t announced = parser_.announced_body_bytes();
  if (announced > kFreeBytesPerConnection) {
    // Only those who may ask at all get memory for what they ask.
    if (auto refusal = services_.router.RefuseHead(parser_.current())) {
      return Refuse(*std::move(refusal));
    }
    if (announced > charge_.peer()->Most()) return Refuse(HTTP_STATUS_PAYLOAD_TOO_LARGE);
    if (!TryToReadBody()) return BeginMemoryWait(MemoryWait::kToReadBody);
  }
  if (parser_.WantsContinue()) SendContinue();
}

void Connection::OnRequest(std::unique_ptr<Exchange> exchange) {
  body_bytes_to_read_ = 0;
  // An estimate refuses nothing: what seems to need more than there is needs all of it.
  exchange->charged_byte_count = std::min(WorkBytes(*exchange), charge_.peer()->Most());
  if (TryToDispatch(*exchange)) return Dispatch(std::move(exchange));
  waiting_ = std::move(exchange);
  BeginMemoryWait(MemoryWait::kToDispatch);
}

void Connection::Dispatch(std::unique_ptr<Exchange> exchange) {
  services_.deadlines.Clear(*this);
  if (!exchange->keep_alive) last_request_read_ = true;
  exchange->connection = this;
  body_bytes_in_flight_ += exchange->charged_byte_count;
  work_bytes_in_flight_ += exchange->charge.bytes();
  pending_.PushBack(exchange.get());
  ++pending_count_;
  services_.router.Route(std::move(exchange));
}

void Connection::SendContinue() {
  // It would overtake earlier answers. Without it the peer sends its body after a while anyway.
  if (pending_count_ > 0 || writing_) return;
  const uv_buf_t buffer = uv_buf_init(const_cast<char*>(kContinue.data()), kContinue.size());
  const int written = uv_try_write(stream(), &buffer, 1);
  if (written > 0 && static_cast<std::size_t>(written) < kContinue.size()) Close();
}

void Connection::Refuse(int status) { Refuse(Bare(status)); }

void Connection::Refuse(RequestHandler::Answer answer) {
  std::unique_ptr<Exchange> exchange = parser_.TakeRequest();
  if (!exchange) {
    exchange = services_.pool.Take();
    exchange->started_at = std::chrono::steady_clock::now();
  }
  unparsed_.clear();
  body_bytes_to_read_ = 0;
  exchange->keep_alive = false;
  Answer(std::move(exchange), std::move(answer));
}

void Connection::Answer(std::unique_ptr<Exchange> exchange, RequestHandler::Answer answer) {
  if (!exchange->keep_alive) last_request_read_ = true;
  exchange->connection = this;
  exchange->charged_byte_count = 0;
  exchange->answer = std::move(answer);
  if (exchange->metrics == nullptr) services_.router.CountAsUnknown(*exchange);
  pending_.PushBack(exchange.get());
  ++pending_count_;
  Deliver(std::move(exchange));
}

bool Connection::HasRoom() const {
  return !last_request_read_ && memory_wait_ == MemoryWait::kNone &&
         pending_count_ < kPipelinedRequestsMax && body_bytes_in_flight_ < kBodyBytesInFlightMax &&
         output_bytes_ < services_.options.output_bytes_max;
}

void Connection::Deliver(std::unique_ptr<Exchange> exchange) {
  if (!exchange->keep_alive) last_request_read_ = true;
  const bool is_last = exchange->next == nullptr && !parser_.InRequest() && unparsed_.empty();
  if (draining_ && is_last) exchange->keep_alive = false;
  body_bytes_in_flight_ -= exchange->charged_byte_count;
  work_bytes_in_flight_ -= exchange->charge.bytes();
  exchange->charge = {};
  if (exchange->answer.body.size() > kFreeBytesPerConnection) KeepAnswerInBudget(*exchange);
  services_.responder.Finish(*exchange);
  if (exchange->body.capacity() > kSpareBytesMax) exchange->body.Free();
  output_bytes_ += exchange->OutputByteCount();
  exchange->ready = true;
  exchange.release();  // owned through pending_ from now on
  Pump();
}

void Connection::Release(Exchange* exchange) {
  output_bytes_ -= exchange->OutputByteCount();
  Recharge();
  services_.pool.Give(std::unique_ptr<Exchange>(exchange));
}

void Connection::Pump() {
  if (pumping_ || phase_ != Phase::kOpen) return;
  pumping_ = true;
  Flush();
  while (phase_ == Phase::kOpen && !unparsed_.empty() && HasRoom()) {
    const std::string bytes = std::exchange(unparsed_, {});
    const std::size_t consumed = Consume(bytes);
    if (consumed < bytes.size()) unparsed_ = bytes.substr(consumed);
    Flush();
  }
  pumping_ = false;
  if (phase_ != Phase::kOpen) return;
  Recharge();
  if (IsFinished()) return Linger();
  UpdateReading();
  UpdateDeadline();
}

bool Connection::IsFinished() const {
  if (pending_count_ > 0 || writing_ || memory_wait_ != MemoryWait::kNone) return false;
  return last_request_read_ || peer_done_ || (draining_ && !parser_.InRequest());
}

void Connection::Linger() {
  uv_os_fd_t fd = -1;
  if (peer_done_ || uv_fileno(reinterpret_cast<uv_handle_t*>(&tcp_), &fd) != 0) return Close();
  // Closing a socket with unread bytes resets it, and the peer might never see our last answer:
  // end our side, read on and discard until the peer ends its own.
  phase_ = Phase::kLingering;
  ::shutdown(fd, SHUT_WR);
  UpdateReading();
  if (phase_ == Phase::kLingering) services_.deadlines.Start(*this, Wait::kLinger);
}

void Connection::UpdateReading() {
  const bool wanted = phase_ == Phase::kLingering ||
                      (phase_ == Phase::kOpen && !peer_done_ && unparsed_.empty() && HasRoom());
  if (wanted == reading_) return;
  reading_ = wanted;
  if (!wanted) {
    uv_read_stop(stream());
    return;
  }
  const int result = uv_read_start(
      stream(),
      [](uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
        auto& self = *static_cast<Connection*>(handle->data);
        // What comes with a head that must wait has to be kept.
        const std::size_t most =
            self.body_bytes_to_read_ > 0 ? kReadBufferBytes : kFreeBytesPerConnection;
        *buffer = uv_buf_init(self.services_.read_buffer, static_cast<unsigned>(most));
      },
      [](uv_stream_t* handle, ssize_t count, const uv_buf_t* buffer) {
        static_cast<Connection*>(handle->data)->OnRead(count, buffer);
      });
  if (result != 0) Close();
}

void Connection::UpdateDeadline() {
  if (phase_ != Phase::kOpen) return;
  Deadlines& deadlines = services_.deadlines;
  if (writing_) {
    deadlines.Continue(*this, Wait::kWrite);
  } else if (memory_wait_ != MemoryWait::kNone) {
    deadlines.Continue(*this, Wait::kMemory);
  } else if (parser_.InRequest() && reading_) {
    deadlines.Continue(*this, Wait::kRequest);
  } else if (pending_count_ > 0) {
    deadlines.Clear(*this);  // the peer waits for us
  } else {
    deadlines.Continue(*this, Wait::kIdle);
  }
}

void Connection::OnDeadline(Wait kind) {
  if (phase_ == Phase::kClosing) return;
  if (kind == Wait::kRequest) return Refuse(HTTP_STATUS_REQUEST_TIMEOUT);
  if (kind == Wait::kMemory) return OnMemoryTimeout();
  if (kind != Wait::kWrite) return Close();
  const std::size_t untaken = UntakenBytes();
  const ServerOptions& options = services_.options;
  const std::size_t least = options.write_bytes_per_second_min *
                            static_cast<std::size_t>(options.write_timeout.count()) / 1000;
  if (untaken_bytes_ - std::min(untaken, untaken_bytes_) < std::max<std::size_t>(least, 1)) {
    return Close();
  }
  untaken_bytes_ = untaken;
  services_.deadlines.Start(*this, Wait::kWrite);  // slow, but alive
}

void Connection::Drain() {
  draining_ = true;
  const bool idle = pending_count_ == 0 && !writing_ && !parser_.InRequest() && unparsed_.empty() &&
                    memory_wait_ == MemoryWait::kNone;
  if (idle && phase_ == Phase::kOpen) return Close();
  Pump();
}

void Connection::Close() {
  if (phase_ == Phase::kClosing) return;
  phase_ = Phase::kClosing;
  services_.deadlines.Clear(*this);
  while (!pending_.empty()) {
    Exchange* exchange = pending_.PopFront();
    if (exchange->ready) {
      Release(exchange);
    } else {
      exchange->connection = nullptr;  // its handler still reads it
      exchange->unwanted.store(true);
    }
  }
  pending_count_ = 0;
  body_bytes_in_flight_ = 0;
  work_bytes_in_flight_ = 0;
  EndMemoryWait();
  Recharge();
  uv_close(reinterpret_cast<uv_handle_t*>(&tcp_), [](uv_handle_t* handle) {
    auto& self = *static_cast<Connection*>(handle->data);
    self.services_.on_closed(self);
  });
}

// A write that the loop carries on with; owns its exchanges.
struct Connection::PendingWrite {
  uv_write_t request;
  Connection* connection;
  ExchangeList exchanges;
  std::size_t byte_count;
};

void Connection::Flush() {
  while (phase_ == Phase::kOpen && !writing_ && !pending_.empty() && pending_.front()->ready) {
    Gather gather;
    std::size_t exchange_count = 0;
    for (const Exchange* x = pending_.front(); x != nullptr && x->ready; x = x->next) {
      gather.Add(*x);
      ++exchange_count;
    }
    const int result = uv_try_write(stream(), gather.data(), gather.size());
    if (result < 0 && result != UV_EAGAIN) return Close();
    auto written = static_cast<std::size_t>(result < 0 ? 0 : result);
    services_.metrics.bytes_out.Add(written);
    while (exchange_count > 0 && written >= pending_.front()->OutputByteCount()) {
      written -= pending_.front()->OutputByteCount();
      Release(pending_.PopFront());
      --pending_count_;
      --exchange_count;
    }
    if (exchange_count > 0 && !StartWrite(exchange_count, written)) return Close();
  }
}

bool Connection::StartWrite(std::size_t exchange_count, std::size_t bytes_to_skip) {
  auto write = std::make_unique<PendingWrite>();
  write->connection = this;
  write->request.data = write.get();
  write->byte_count = 0;
  Gather gather;
  for (; exchange_count > 0; --exchange_count) {
    Exchange* exchange = pending_.PopFront();
    --pending_count_;
    gather.Add(*exchange);
    write->byte_count += exchange->OutputByteCount();
    write->exchanges.PushBack(exchange);
  }
  gather.Skip(bytes_to_skip);
  write->byte_count -= bytes_to_skip;
  const int result = uv_write(&write->request, stream(), gather.data(), gather.size(),
                              [](uv_write_t* request, int status) {
                                auto* done = static_cast<PendingWrite*>(request->data);
                                done->connection->OnWritten(*done, status);
                              });
  if (result != 0) {
    while (!write->exchanges.empty()) Release(write->exchanges.PopFront());
    return false;
  }
  write.release();  // OnWritten takes it back
  writing_ = true;
  untaken_bytes_ = UntakenBytes();
  return true;
}

void Connection::OnWritten(PendingWrite& write, int status) {
  const std::unique_ptr<PendingWrite> owned(&write);
  while (!write.exchanges.empty()) Release(write.exchanges.PopFront());
  writing_ = false;
  services_.deadlines.Clear(*this);
  if (status != 0) return Close();
  services_.metrics.bytes_out.Add(write.byte_count);
  Pump();
}

}  // namespace stator::server
