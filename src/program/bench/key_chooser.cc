#include "bench/key_chooser.h"

#include <algorithm>
#include <cmath>

namespace stator::bench {
namespace {

double Zeta(std::uint64_t count, double theta) {
  double sum = 0;
  for (std::uint64_t i = count; i > 0; --i) sum += std::pow(static_cast<double>(i), -theta);
  return sum;
}

}  // namespace

// The method of Gray et al., "Quickly generating billion-record synthetic databases": exact for the
// two most popular ranks, an inverted integral for the others.
Zipfian::Zipfian(std::uint64_t count, double theta)
    : count_(static_cast<double>(count)),
      zeta_(Zeta(count, theta)),
      alpha_(1 / (1 - theta)),
      second_(1 + std::pow(0.5, theta)) {
  const double zeta_two = Zeta(std::min<std::uint64_t>(count, 2), theta);
  eta_ = count <= 2 ? 0 : (1 - std::pow(2 / count_, 1 - theta)) / (1 - zeta_two / zeta_);
}

std::uint64_t Zipfian::Draw(Prng& prng) const {
  const double unit = prng.Unit();
  const double share = unit * zeta_;
  if (share < 1 || count_ == 1) return 0;
  if (share < second_ || count_ == 2) return 1;
  const double rank = count_ * std::pow(eta_ * unit - eta_ + 1, alpha_);
  return static_cast<std::uint64_t>(std::clamp(rank, 0.0, count_ - 1));
}

}  // namespace stator::bench
