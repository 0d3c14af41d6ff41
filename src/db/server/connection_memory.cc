// What a connection does about memory: it counts what it holds, and waits if that does not fit.
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "server/connection.h"
#include "server/options.h"

namespace stator::server {

std::size_t Connection::HeldBytes() const {
  return body_bytes_to_read_ + (waiting_ ? waiting_->body.size() : 0) + output_bytes_ +
         unparsed_.size() + body_bytes_in_flight_ - work_bytes_in_flight_;
}

void Connection::Recharge() { charge_.Set(CountedBytes(HeldBytes())); }

bool Connection::TryToReadBody() {
  body_bytes_to_read_ = parser_.announced_body_bytes();
  if (MayTry() && charge_.TrySet(HeldBytes(), MemoryUse::kBody)) return true;
  body_bytes_to_read_ = 0;
  return false;
}

bool Connection::TryToDispatch(Exchange& exchange) {
  const std::shared_ptr<PeerMemory>& peer = charge_.peer();
  if (peer->IsCrowded() && Router::MayAnswerAtLength(exchange.head.Operation())) return false;
  if (exchange.charged_byte_count <= kFreeBytesPerConnection) return true;
  Recharge();  // its body counts as work from now on
  exchange.charge = MemoryCharge(peer, MemoryUse::kWork);
  return MayTry() && exchange.charge.TrySet(exchange.charged_byte_count);
}

bool Connection::MayTry() const {
  return memory_wait_ != MemoryWait::kNone || !charge_.peer()->HasWaiters();
}

void Connection::BeginMemoryWait(MemoryWait wait) {
  memory_wait_ = wait;
  charge_.peer()->BeginWait();
  services_.memory_waiters.push_back(this);
  services_.on_memory_wait();
}

Connection::MemoryWait Connection::EndMemoryWait() {
  if (memory_wait_ == MemoryWait::kNone) return memory_wait_;
  charge_.peer()->EndWait();
  std::erase(services_.memory_waiters, this);
  services_.deadlines.Clear(*this);
  return std::exchange(memory_wait_, MemoryWait::kNone);
}

bool Connection::RetryMemory() {
  std::unique_ptr<Exchange> exchange = std::move(waiting_);
  if (!(exchange ? TryToDispatch(*exchange) : TryToReadBody())) {
    waiting_ = std::move(exchange);
    Recharge();
    return false;
  }
  EndMemoryWait();
  if (exchange) {
    Dispatch(std::move(exchange));
  } else if (parser_.WantsContinue()) {
    SendContinue();
  }
  Pump();
  return true;
}

bool Connection::GiveUpIfPeerIsGone() {
  // Nothing is read meanwhile, so nobody tells us.
  uv_os_fd_t fd = -1;
  char byte = 0;
  if (uv_fileno(reinterpret_cast<uv_handle_t*>(&tcp_), &fd) != 0) return false;
  const ssize_t count = recv(fd, &byte, sizeof(byte), MSG_PEEK | MSG_DONTWAIT);
  if (count > 0 || (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))) return false;
  OnMemoryTimeout();
  return true;
}

void Connection::OnMemoryTimeout() {
  if (EndMemoryWait() == MemoryWait::kToReadBody) {
    return Refuse(services_.router.BusyAnswer(parser_.current()));
  }
  RequestHandler::Answer answer = services_.router.BusyAnswer(*waiting_);
  Answer(std::move(waiting_), std::move(answer));
}

// An answer is there before it can be refused. Reads can be repeated, so theirs is dropped if there is no
// room for it; who does not read his answers gets no further ones.
void Connection::KeepAnswerInBudget(Exchange& exchange) {
  if (charge_.TrySet(HeldBytes() + exchange.answer.body.size(), MemoryUse::kAnswer)) return;
  if (!services_.router.MayBeDropped(exchange)) return;
  exchange.answer = services_.router.BusyAnswer(exchange);
  exchange.coding = Coding::kIdentity;
}

std::size_t Connection::UntakenBytes() {
  std::size_t untaken = uv_stream_get_write_queue_size(stream());
  uv_os_fd_t fd = -1;
  int in_kernel = 0;
  if (uv_fileno(reinterpret_cast<uv_handle_t*>(&tcp_), &fd) == 0 &&
      ioctl(fd, SIOCOUTQ, &in_kernel) == 0) {
    untaken += static_cast<std::size_t>(in_kernel);
  }
  return untaken;
}

}  // namespace stator::server
