// What a run counted.
#ifndef STATOR_BENCH_TALLY_H_
#define STATOR_BENCH_TALLY_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "bench/histogram.h"
#include "bench/workload.h"

namespace stator::bench {

// Not thread-safe: every loop has its own, and they are merged.
struct Tally {
  std::array<Histogram, kOperationCount> latencies;  // of answers with status 200, by operation
  std::map<std::string, std::uint64_t> errors;       // by DynamoDB's name, or by what broke
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;  // with heads
  std::uint64_t body_bytes_received = 0;
  std::uint64_t unsent = 0;  // open loop: due before the end, but no connection was free
  double cpu_seconds = 0;    // of the client's threads
  double run_seconds = 0;    // with the warm-up
  double measured_seconds = 0;

  Histogram AllLatency() const;
  std::uint64_t ErrorCount() const;
  void Merge(const Tally& other);
};

// "ConditionalCheckFailedException" from an error's body; empty if it names none.
std::string ErrorNameIn(std::string_view body);

}  // namespace stator::bench

#endif  // STATOR_BENCH_TALLY_H_
