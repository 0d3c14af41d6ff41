// What the server counts, and the page that shows it (GET /metrics). Each loop counts for itself,
// without locks; a scrape adds the loops up.
#ifndef STATOR_SERVER_METRICS_H_
#define STATOR_SERVER_METRICS_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <string_view>

#include "stator/database.h"

namespace stator::server {

// Written by one thread, read by any.
class LoopCounter {
 public:
  void Add(std::uint64_t by) {
    value_.store(value_.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }
  std::uint64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<std::uint64_t> value_ = 0;
};

// Upper bounds in microseconds; a further bucket takes what is slower.
inline constexpr std::array<std::uint64_t, 14> kLatencyBoundsUs = {
    50,     100,    250,     500,     1'000,   2'500,     5'000,
    10'000, 25'000, 100'000, 250'000, 500'000, 1'000'000, 10'000'000};

// The outcome of a request that is answered with a bare HTTP status instead of an error: "http_404".
// REQUIRES: the server sends that status.
std::string_view OutcomeName(int http_status);

// One operation on one loop.
class OperationMetrics {
 public:
  explicit OperationMetrics(std::string_view name) : name_(name) {}

  // Loop's thread. `error_name` is empty on success.
  void Record(std::string_view error_name, std::chrono::microseconds latency);

  struct Outcome {
    explicit Outcome(std::string_view outcome_name) : name(outcome_name) {}
    std::string name;
    LoopCounter count;
  };

  // Any thread, with the owner's mutex.
  const std::string& name() const { return name_; }
  const std::deque<Outcome>& outcomes() const { return outcomes_; }
  const std::array<LoopCounter, kLatencyBoundsUs.size() + 1>& buckets() const { return buckets_; }
  std::uint64_t latency_sum_us() const { return latency_sum_us_.value(); }

 private:
  friend class LoopMetrics;
  Outcome& FindOutcome(std::string_view error_name);

  std::string name_;
  std::mutex* mutex_ = nullptr;  // held to add an outcome, not to count one
  std::deque<Outcome> outcomes_;
  std::array<LoopCounter, kLatencyBoundsUs.size() + 1> buckets_;
  LoopCounter latency_sum_us_;
};

// Everything that one loop counts.
class LoopMetrics {
 public:
  // Loop's thread. The answer stays valid. Names must come from a bounded set.
  OperationMetrics& ForOperation(std::string_view name);

  LoopCounter connections_opened;
  LoopCounter connections_closed;
  LoopCounter connections_refused;
  LoopCounter bytes_in;
  LoopCounter bytes_out;

  // Any thread: visits the operations seen so far.
  template <class Visitor>
  void ForEachOperation(Visitor&& visit) const {
    const std::scoped_lock lock(mutex_);
    for (const OperationMetrics& operation : operations_) visit(operation);
  }

 private:
  mutable std::mutex mutex_;  // held to add an operation or an outcome, and by a scrape
  std::deque<OperationMetrics> operations_;
};

std::string MetricsPage(std::span<const LoopMetrics* const> loops, const Database::Stats& stats,
                        const Database::Health& health);

}  // namespace stator::server

#endif  // STATOR_SERVER_METRICS_H_
