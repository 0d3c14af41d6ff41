// Which item a request is about.
#ifndef STATOR_BENCH_KEY_CHOOSER_H_
#define STATOR_BENCH_KEY_CHOOSER_H_

#include <atomic>
#include <cstdint>
#include <optional>

#include "bench/prng.h"
#include "bench/workload.h"

namespace stator::bench {

// The skew that YCSB uses.
inline constexpr double kYcsbTheta = 0.99;

// Ranks as YCSB draws them: rank 0 is the most popular, rank k has weight 1 / (k + 1)^theta.
// Constant, so threads may share it. Making one takes time in proportion to `count`.
class Zipfian {
 public:
  // REQUIRES: count > 0, 0 < theta < 1.
  explicit Zipfian(std::uint64_t count, double theta = kYcsbTheta);

  // 0 … count - 1
  std::uint64_t Draw(Prng& prng) const;

 private:
  double count_;
  double zeta_;
  double alpha_;
  double eta_;
  double second_;  // below this share of zeta the rank is 0 or 1
};

// Shared by all threads.
class KeyChooser {
 public:
  // Items 0 … items - 1 exist. REQUIRES: items > 0.
  KeyChooser(KeyDistribution distribution, std::uint64_t items)
      : distribution_(distribution), items_(items), next_new_(items) {
    if (distribution != KeyDistribution::kUniform) zipfian_.emplace(items);
  }

  std::uint64_t Existing(Prng& prng) const {
    switch (distribution_) {
      case KeyDistribution::kUniform:
        return prng.Below(items_);
      case KeyDistribution::kZipfian:  // popular items lie anywhere, not all at the beginning
        return Scramble(zipfian_->Draw(prng)) % items_;
      case KeyDistribution::kLatest:
        return items_ + stored_.load(std::memory_order_relaxed) - 1 - zipfian_->Draw(prng);
    }
    return 0;
  }

  // A number that no item has yet.
  std::uint64_t New() { return next_new_.fetch_add(1, std::memory_order_relaxed); }
  // One of the new items is stored: from now on it may be the latest.
  void OnStored() { stored_.fetch_add(1, std::memory_order_relaxed); }

 private:
  const KeyDistribution distribution_;
  const std::uint64_t items_;
  std::atomic<std::uint64_t> next_new_;
  std::atomic<std::uint64_t> stored_ = 0;
  std::optional<Zipfian> zipfian_;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_KEY_CHOOSER_H_
