// Zipfian ranks as YCSB draws them: rank 0 is the most popular, rank k has weight 1 / (k + 1)^theta.
#ifndef STATOR_BENCH_ZIPFIAN_H_
#define STATOR_BENCH_ZIPFIAN_H_

#include <cstdint>

#include "bench/prng.h"

namespace stator::bench {

inline constexpr double kYcsbTheta = 0.99;

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

}  // namespace stator::bench

#endif  // STATOR_BENCH_ZIPFIAN_H_
