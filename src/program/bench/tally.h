// What a run counted: latencies, bytes and errors.
#ifndef STATOR_BENCH_TALLY_H_
#define STATOR_BENCH_TALLY_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "bench/workload.h"

namespace stator::bench {

// Counts durations in logarithmic buckets: every figure is within 0.8 % of what was recorded.
// Not thread-safe: every thread has its own, and they are merged.
class Histogram {
 public:
  Histogram();

  void Record(std::uint64_t nanoseconds) {
    ++buckets_[BucketOf(nanoseconds)];
    ++count_;
    sum_ns_ += nanoseconds;
    if (nanoseconds > max_ns_) max_ns_ = nanoseconds;
  }
  void Merge(const Histogram& other);

  std::uint64_t count() const { return count_; }
  std::uint64_t max_ns() const { return max_ns_; }
  double MeanNs() const;
  // The duration that `fraction` of all do not exceed: 0.99 for p99. 0 if nothing was recorded.
  std::uint64_t QuantileNs(double fraction) const;

 private:
  static std::size_t BucketOf(std::uint64_t nanoseconds);

  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::uint64_t sum_ns_ = 0;
  std::uint64_t max_ns_ = 0;
};

// Not thread-safe: every loop has its own, and they are merged.
struct Tally {
  std::array<Histogram, kOperationCount> latencies;  // of answers with status 200, by operation
  Histogram service;  // open loop: the same from the moment of sending, all operations
  std::map<std::string, std::uint64_t> errors;  // by DynamoDB's name, or by what broke
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
