// One thread's share of the load: connections on an event loop, one request in flight on each.
//
// Closed loop: a connection sends its next request when the answer to the last one is there.
// Open loop: requests are due at fixed moments, whatever the server does. One that is due while every
// connection is busy goes out on the first that becomes free, and its latency counts from the moment
// it was due: a server that stalls cannot hide the requests it kept from being sent.
#ifndef STATOR_BENCH_CLIENT_LOOP_H_
#define STATOR_BENCH_CLIENT_LOOP_H_

#include <sys/socket.h>

#include <atomic>
#include <cstdint>
#include <memory>

#include "bench/request_source.h"
#include "bench/tally.h"

namespace stator::bench {

struct LoopPlan {
  sockaddr_storage address{};
  int connections = 1;
  double requests_per_second = 0;     // 0: closed loop
  std::uint64_t measure_from_ns = 0;  // on NowNs' clock; what was due earlier only warms up
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

  // Returns after the end, or when the source has nothing more, and the answers are in.
  Tally Run();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_CLIENT_LOOP_H_
