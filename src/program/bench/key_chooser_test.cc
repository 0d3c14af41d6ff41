#include "bench/key_chooser.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace stator::bench {
namespace key_chooser_test {

TEST(Zipfian, TheMostPopularRanksHaveTheirExactShares) {
  constexpr std::uint64_t kCount = 1000;
  constexpr int kDraws = 400'000;
  double zeta = 0;
  for (std::uint64_t i = 1; i <= kCount; ++i) zeta += std::pow(static_cast<double>(i), -kYcsbTheta);
  const Zipfian zipfian(kCount);
  Prng prng(7);
  std::vector<int> seen(kCount);
  for (int i = 0; i < kDraws; ++i) ++seen[zipfian.Draw(prng)];
  EXPECT_NEAR(seen[0] / double{kDraws}, 1 / zeta, 0.005);
  EXPECT_NEAR(seen[1] / double{kDraws}, std::pow(0.5, kYcsbTheta) / zeta, 0.005);
  double top_tenth = 0;
  for (std::size_t i = 0; i < kCount / 10; ++i) top_tenth += seen[i] / double{kDraws};
  double expected = 0;
  for (int i = 1; i <= 100; ++i) expected += std::pow(double(i), -kYcsbTheta) / zeta;
  EXPECT_NEAR(top_tenth, expected, 0.02);
}

TEST(Zipfian, StaysInRangeForEveryCount) {
  for (const std::uint64_t count : {1, 2, 3, 10, 1000}) {
    const Zipfian zipfian(count);
    Prng prng(count);
    for (int i = 0; i < 2000; ++i) ASSERT_LT(zipfian.Draw(prng), count);
  }
}

TEST(Prng, TheSameSeedGivesTheSameNumbers) {
  Prng a(42);
  Prng b(42);
  Prng c(43);
  EXPECT_EQ(a.Next(), b.Next());
  EXPECT_NE(a.Next(), c.Next());
}

TEST(Prng, BelowReachesEveryNumberAndNoOther) {
  Prng prng(1);
  std::vector<int> seen(7);
  for (int i = 0; i < 7000; ++i) ++seen.at(prng.Below(7));
  for (const int count : seen) EXPECT_NEAR(count, 1000, 200);
}

}  // namespace key_chooser_test
}  // namespace stator::bench
