// Counts durations in logarithmic buckets: every figure is within 0.8 % of what was recorded.
#ifndef STATOR_BENCH_HISTOGRAM_H_
#define STATOR_BENCH_HISTOGRAM_H_

#include <cstddef>
#include <cstdint>
#include <vector>

namespace stator::bench {

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

}  // namespace stator::bench

#endif  // STATOR_BENCH_HISTOGRAM_H_
