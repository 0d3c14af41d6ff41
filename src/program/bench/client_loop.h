// One thread's share of the load: connections on an event loop, one request in flight on each.
//
// Closed loop: a connection sends its next request when it has the answer to the last one.
// Open loop: requests are due at fixed moments, whatever the server does. One that is due while every
// connection is busy goes out on the first that becomes free, and its latency counts from the moment
// it was due: a server that stalls cannot hide the requests it kept from being sent.
#ifndef STATOR_BENCH_CLIENT_LOOP_H_
#define STATOR_BENCH_CLIENT_LOOP_H_

#include <sys/socket.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string_view>

#include "bench/tally.h"
#include "bench/workload.h"

namespace stator::bench {

inline constexpr int kStatusOk = 200;  // of HTTP

// What a source remembers for a connection: the request in flight, and what must follow it.
struct Slot {
  Operation operation = Operation::kGetItem;
  std::uint64_t key = 0;
  bool repeats = false;        // send the same again: it was refused for now
  bool has_follow_up = false;  // the second half of a read-modify-write is due
};

// Used by one loop.
class RequestSource {
 public:
  enum class Supply : std::uint8_t {
    kRequest,
    kLater,  // ask again in a while
    kNever,  // nothing more for this connection
  };

  virtual ~RequestSource() = default;

  // The next request for the connection of this slot; sets slot.operation. The bytes are valid
  // until the next call.
  virtual Supply Next(Slot& slot, std::string_view& bytes) = 0;
  // Whether OnAnswer wants the body of answers with status 200. Bodies of errors always come.
  virtual bool WantsBodies() const { return false; }
  // Whether a connection that broke stays closed.
  virtual bool GivesUp() const { return false; }
  // Status 0: the connection broke, perhaps before anything was sent on it.
  virtual void OnAnswer(Slot& slot, int status, std::string_view body) = 0;
};

struct LoopPlan {
  sockaddr_storage address{};
  int connections = 1;
  double requests_per_second = 0;     // 0: closed loop
  std::uint64_t measure_from_ns = 0;  // on NowNs' clock; earlier requests only warm up
  std::uint64_t end_ns = 0;           // nothing is sent from then on
};

std::uint64_t NowNs();

// For a progress line: written by the loop, read by anyone.
struct LiveCounts {
  std::atomic<std::uint64_t> answers = 0;
  std::atomic<std::uint64_t> errors = 0;
};

class ClientLoop {
 public:
  ClientLoop(const LoopPlan& plan, RequestSource& source, LiveCounts& live);
  ~ClientLoop();
  ClientLoop(const ClientLoop&) = delete;
  ClientLoop& operator=(const ClientLoop&) = delete;

  // Returns when the end has come or the source has nothing more, and all answers are in.
  Tally Run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_CLIENT_LOOP_H_
