// One client connection: reads requests, keeps their answers in order, writes them.
//
//   kOpen ── last answer written ──► kLingering ── end of stream or timeout ──► kClosing ──► deleted
//     └───────────── broken, timed out or told to ─────────────────────────────────▲
#ifndef STATOR_SERVER_CONNECTION_H_
#define STATOR_SERVER_CONNECTION_H_

#include <uv.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/deadlines.h"
#include "server/exchange.h"
#include "server/memory_budget.h"
#include "server/metrics.h"
#include "server/options.h"
#include "server/request_parser.h"
#include "server/responder.h"
#include "server/router.h"

namespace stator::server {

class Connection;

// What the connections of one loop share.
struct LoopServices {
  uv_loop_t* loop;
  const ServerOptions& options;
  ExchangePool& pool;
  Deadlines& deadlines;
  Router& router;
  Responder& responder;
  LoopMetrics& metrics;
  char* read_buffer;  // kReadBufferBytes, for the connection that reads at the moment
  std::vector<Connection*> memory_waiters;  // oldest first
  std::function<void()> on_memory_wait;     // somebody waits: RetryMemory must be called
  std::function<void(Connection&)> on_closed;
};

// Lives on its loop's thread. After Close, services.on_closed gives it back to its owner.
class Connection final : public Waiter {
 public:
  explicit Connection(LoopServices& services);
  ~Connection();

  uv_stream_t* stream() { return reinterpret_cast<uv_stream_t*>(&tcp_); }
  uv_tcp_t* tcp() { return &tcp_; }

  // Counts it among those of its peer; false if these are too many. REQUIRES: a socket was accepted into
  // tcp().
  bool Join(MemoryBudget& budget);
  // REQUIRES: Join was true.
  void Start();
  // An exchange of this connection has its answer.
  void Deliver(std::unique_ptr<Exchange> exchange);
  // Finishes what has begun, then closes.
  void Drain();
  // Closes now. Answers that come later are dropped.
  void Close();
  void OnDeadline(Wait kind);
  // Goes on if there is memory now. REQUIRES: it is one of services.memory_waiters, which it then leaves.
  bool RetryMemory();
  // Ends the wait if nobody is there any more. REQUIRES: as above.
  bool GiveUpIfPeerIsGone();

 private:
  enum class Phase : std::uint8_t { kOpen, kLingering, kClosing };
  enum class MemoryWait : std::uint8_t { kNone, kToReadBody, kToDispatch };
  struct PendingWrite;

  // Reading.
  void OnRead(ssize_t count, const uv_buf_t* buffer);
  void OnEndOfStream(bool orderly);
  std::size_t Consume(std::string_view bytes);
  void OnHead();
  void OnRequest(std::unique_ptr<Exchange> exchange);
  void Dispatch(std::unique_ptr<Exchange> exchange);
  void SendContinue();
  // Answers what was read of a request, and reads no further.
  void Refuse(RequestHandler::Answer answer);
  void Refuse(int status);
  void Answer(std::unique_ptr<Exchange> exchange, RequestHandler::Answer answer);
  bool HasRoom() const;

  // Memory.
  std::size_t HeldBytes() const;
  // Counts what is held.
  void Recharge();
  bool TryToReadBody();
  bool TryToDispatch(Exchange& exchange);
  // Others who wait come first.
  bool MayTry() const;
  void BeginMemoryWait(MemoryWait wait);
  // Returns what it was for.
  MemoryWait EndMemoryWait();
  void OnMemoryTimeout();
  void KeepAnswerInBudget(Exchange& exchange);
  // Of what was written, the bytes that the peer has not received.
  std::size_t UntakenBytes();

  // Writing.
  void Flush();
  bool StartWrite(std::size_t exchange_count, std::size_t bytes_to_skip);
  void OnWritten(PendingWrite& write, int status);
  void Release(Exchange* exchange);

  // Does everything that can be done now, then decides what to wait for.
  void Pump();
  bool IsFinished() const;
  void Linger();
  void UpdateReading();
  void UpdateDeadline();

  LoopServices& services_;
  uv_tcp_t tcp_;
  RequestParser parser_;
  ExchangeList
      pending_;  // read and not yet written; ready ones are ours, others belong to handlers
  std::size_t pending_count_ = 0;
  std::size_t body_bytes_in_flight_ = 0;
  std::size_t work_bytes_in_flight_ = 0;  // the part of them that exchanges are charged for
  std::size_t output_bytes_ = 0;          // ready and not yet taken by the kernel
  std::size_t untaken_bytes_ = 0;         // when the current wait for the peer began
  std::string unparsed_;                  // read while there was no room
  std::size_t body_bytes_to_read_ = 0;    // of a large body that is being read: its whole length
  MemoryCharge charge_;
  MemoryWait memory_wait_ = MemoryWait::kNone;
  std::unique_ptr<Exchange> waiting_;  // kToDispatch
  Phase phase_ = Phase::kOpen;
  bool reading_ = false;
  bool writing_ = false;
  bool pumping_ = false;
  bool last_request_read_ = false;  // no further request will be answered
  bool peer_done_ = false;          // the peer will send nothing more
  bool draining_ = false;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_CONNECTION_H_
