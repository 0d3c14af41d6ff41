#include "server/metrics.h"

#include <algorithm>

#include "server/limits.h"

namespace stator::server {

void OperationMetrics::Record(std::string_view error_name, std::chrono::microseconds latency) {
  const auto latency_us = static_cast<std::uint64_t>(std::max<std::int64_t>(latency.count(), 0));
  const auto* bound = std::ranges::lower_bound(kLatencyBoundsUs, latency_us);
  buckets_[static_cast<std::size_t>(bound - kLatencyBoundsUs.begin())].Add(1);
  latency_sum_us_.Add(latency_us);
  FindOutcome(error_name.empty() ? "ok" : error_name).count.Add(1);
}

OperationMetrics::Outcome& OperationMetrics::FindOutcome(std::string_view error_name) {
  for (Outcome& outcome : outcomes_) {
    if (outcome.name == error_name) return outcome;
  }
  const std::scoped_lock lock(*mutex_);
  if (outcomes_.size() > kOutcomesMax) return outcomes_.back();
  return outcomes_.emplace_back(outcomes_.size() == kOutcomesMax ? "other" : error_name);
}

OperationMetrics& LoopMetrics::ForOperation(std::string_view name) {
  // Only this thread adds, so it may look without the lock.
  for (OperationMetrics& operation : operations_) {
    if (operation.name() == name) return operation;
  }
  const std::scoped_lock lock(mutex_);
  OperationMetrics& added = operations_.emplace_back(name);
  added.mutex_ = &mutex_;
  return added;
}

}  // namespace stator::server
