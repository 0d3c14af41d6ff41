#include "bench/tally.h"

#include <algorithm>
#include <bit>
#include <cctype>
#include <cmath>

namespace stator::bench {
namespace {

// A power of two is cut into 128 buckets. Durations below 256 ns have a bucket each; above, the
// eight leading bits choose it. Durations above 2^44 ns, almost five hours, count as
// that.
constexpr std::size_t kBucketsPerDoubling = 128;
constexpr std::size_t kExactBuckets = 2 * kBucketsPerDoubling;
constexpr int kLeadingBits = 8;
constexpr int kBitsMax = 44;
constexpr std::uint64_t kNanosecondsMax = (std::uint64_t{1} << kBitsMax) - 1;
constexpr std::size_t kBuckets =
    kExactBuckets + static_cast<std::size_t>(kBitsMax - kLeadingBits) * kBucketsPerDoubling;

// The longest duration that falls into the bucket.
std::uint64_t LongestOf(std::size_t bucket) {
  if (bucket < kExactBuckets) return bucket;
  const std::size_t shift = (bucket - kExactBuckets) / kBucketsPerDoubling + 1;
  const std::size_t leading = (bucket - kExactBuckets) % kBucketsPerDoubling + kBucketsPerDoubling;
  return ((std::uint64_t{leading} + 1) << shift) - 1;
}

}  // namespace

Histogram::Histogram() : buckets_(kBuckets) {}

std::size_t Histogram::BucketOf(std::uint64_t nanoseconds) {
  if (nanoseconds < kExactBuckets) return nanoseconds;
  nanoseconds = std::min(nanoseconds, kNanosecondsMax);
  const auto shift = static_cast<std::size_t>(std::bit_width(nanoseconds) - kLeadingBits);
  const std::size_t leading = nanoseconds >> shift;
  return kExactBuckets + (shift - 1) * kBucketsPerDoubling + (leading - kBucketsPerDoubling);
}

void Histogram::Merge(const Histogram& other) {
  for (std::size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  sum_ns_ += other.sum_ns_;
  max_ns_ = std::max(max_ns_, other.max_ns_);
}

double Histogram::MeanNs() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_ns_) / static_cast<double>(count_);
}

std::uint64_t Histogram::QuantileNs(double fraction) const {
  if (count_ == 0) return 0;
  const double exact = std::ceil(fraction * static_cast<double>(count_));
  const std::uint64_t wanted =
      std::clamp<std::uint64_t>(static_cast<std::uint64_t>(exact), 1, count_);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= wanted) return std::min(LongestOf(i), max_ns_);
  }
  return max_ns_;
}

Histogram Tally::AllLatency() const {
  Histogram all;
  for (const Histogram& latency : latencies) all.Merge(latency);
  return all;
}

std::uint64_t Tally::ErrorCount() const {
  std::uint64_t count = 0;
  for (const auto& [name, number] : errors) count += number;
  return count;
}

void Tally::Merge(const Tally& other) {
  for (std::size_t i = 0; i < latencies.size(); ++i) latencies[i].Merge(other.latencies[i]);
  service.Merge(other.service);
  for (const auto& [name, number] : other.errors) errors[name] += number;
  bytes_sent += other.bytes_sent;
  bytes_received += other.bytes_received;
  body_bytes_received += other.body_bytes_received;
  unsent += other.unsent;
  cpu_seconds += other.cpu_seconds;
  run_seconds = std::max(run_seconds, other.run_seconds);
  measured_seconds = std::max(measured_seconds, other.measured_seconds);
}

std::string ErrorNameIn(std::string_view body) {
  constexpr std::string_view kType = "\"__type\"";
  const std::size_t type = body.find(kType);
  if (type == std::string_view::npos) return {};
  const std::size_t begin = body.find('"', type + kType.size());
  if (begin == std::string_view::npos) return {};
  std::string_view name = body.substr(begin + 1);
  name = name.substr(0, name.find('"'));
  name.remove_prefix(std::min(name.find('#') + 1, name.size()));  // npos + 1 is 0
  const bool is_name =
      std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) != 0; });
  return is_name ? std::string(name) : std::string();
}

}  // namespace stator::bench
