#include "base/work.h"

#include <gtest/gtest.h>

namespace stator {
namespace work_test {

using namespace std::chrono_literals;

TEST(Work, AThreadWithoutWorkMayDoAnything) {
  EXPECT_TRUE(Work::Charge(std::size_t{1} << 40));
  EXPECT_FALSE(Work::MustEnd());
  EXPECT_TRUE(Work::MayWait());
  EXPECT_FALSE(Work::HasThread());
}

TEST(Work, MoreThanTheAllowedBytesGoElsewhere) {
  for (const std::uint64_t bytes : {std::uint64_t{100}, std::uint64_t{1} << 20}) {
    const Work work({.bytes = bytes});
    std::uint64_t charged = 0;
    while (Work::Charge(10)) charged += 10;
    EXPECT_EQ(charged, bytes / 10 * 10);
    EXPECT_EQ(work.end(), Work::End::kElsewhere);
    EXPECT_FALSE(Work::Charge(0));
  }
}

TEST(Work, OneLargeChargeCountsAsManySmallOnes) {
  const Work work({.bytes = std::uint64_t{1} << 20});
  EXPECT_TRUE(Work::Charge(std::size_t{900} << 10));
  EXPECT_FALSE(Work::Charge(std::size_t{200} << 10));
  EXPECT_EQ(work.end(), Work::End::kElsewhere);
}

TEST(Work, EndsWhenItsProcessorTimeIsUsedUp) {
  const Work work({.processor_time = 1ms});
  const auto deadline = std::chrono::steady_clock::now() + 60s;
  while (Work::Charge(1000) && std::chrono::steady_clock::now() < deadline) {
  }
  EXPECT_EQ(work.end(), Work::End::kOutOfTime);
}

TEST(Work, EndsWhenNobodyWaitsAnyMore) {
  std::atomic<bool> unwanted = false;
  const Work work({.unwanted = &unwanted});
  EXPECT_TRUE(Work::Charge(1 << 20));
  unwanted.store(true);
  EXPECT_FALSE(Work::Charge(1 << 20));
  EXPECT_EQ(work.end(), Work::End::kUnwanted);
}

TEST(Work, TheFirstReasonCounts) {
  const Work work({.bytes = 10});
  EXPECT_FALSE(Work::Charge(11));
  EXPECT_EQ(work.end(), Work::End::kElsewhere);
}

TEST(Work, InnerWorkAndPausesLeaveTheOuterOneAlone) {
  const Work outer({.bytes = 100, .may_wait = false});
  {
    const Work inner({.bytes = 10});
    EXPECT_FALSE(Work::Charge(20));
    EXPECT_TRUE(Work::MayWait());
    EXPECT_TRUE(Work::HasThread());
  }
  {
    const Work::Pause pause;
    EXPECT_TRUE(Work::Charge(1000));
  }
  EXPECT_FALSE(Work::MayWait());
  EXPECT_FALSE(Work::MustEnd());
  EXPECT_TRUE(Work::Charge(100));
  Work::EndElsewhere();
  EXPECT_EQ(outer.end(), Work::End::kElsewhere);
}

}  // namespace work_test
}  // namespace stator
