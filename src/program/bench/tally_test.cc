#include "bench/tally.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace stator::bench {
namespace tally_test {

TEST(Histogram, IsZeroWhenNothingWasRecorded) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0U);
  EXPECT_EQ(histogram.QuantileNs(0.99), 0U);
  EXPECT_EQ(histogram.MeanNs(), 0.0);
}

TEST(Histogram, IsExactBelow256Nanoseconds) {
  Histogram histogram;
  for (std::uint64_t i = 0; i < 256; ++i) histogram.Record(i);
  EXPECT_EQ(histogram.QuantileNs(0.5), 127U);
  EXPECT_EQ(histogram.QuantileNs(1.0), 255U);
  EXPECT_DOUBLE_EQ(histogram.MeanNs(), 127.5);
}

TEST(Histogram, QuantilesAreWithinOnePercentOfTheSortedList) {
  EXPECT_TRUE(rc::check([] {
    auto values = *rc::gen::nonEmpty(rc::gen::container<std::vector<std::uint64_t>>(
        rc::gen::inRange<std::uint64_t>(0, 1ULL << 40)));
    Histogram histogram;
    for (const std::uint64_t value : values) histogram.Record(value);
    std::ranges::sort(values);
    for (const double fraction : {0.0, 0.5, 0.9, 0.99, 0.999, 1.0}) {
      const double position = std::ceil(fraction * static_cast<double>(values.size()));
      const double exact =
          static_cast<double>(values[static_cast<std::size_t>(std::max(position, 1.0)) - 1]);
      const double found = static_cast<double>(histogram.QuantileNs(fraction));
      RC_ASSERT(found >= exact);
      RC_ASSERT(found <= exact * 1.008);
    }
  }));
}

TEST(Histogram, MergingIsRecordingBoth) {
  Histogram a;
  Histogram b;
  Histogram both;
  for (std::uint64_t i = 1; i < 5000; ++i) {
    (i % 3 == 0 ? a : b).Record(i * i);
    both.Record(i * i);
  }
  a.Merge(b);
  EXPECT_EQ(a.count(), both.count());
  EXPECT_EQ(a.max_ns(), both.max_ns());
  EXPECT_EQ(a.QuantileNs(0.999), both.QuantileNs(0.999));
  EXPECT_EQ(a.MeanNs(), both.MeanNs());
}

TEST(Histogram, ADurationBeyondEveryBucketStillCounts) {
  Histogram histogram;
  histogram.Record(~std::uint64_t{0});
  EXPECT_EQ(histogram.count(), 1U);
  EXPECT_GE(histogram.QuantileNs(0.5), (1ULL << 44) - 1);
}

TEST(ErrorName, IsWhatFollowsTheHash) {
  EXPECT_EQ(ErrorNameIn(R"({"__type":"com.amazonaws.dynamodb.v20120810#ValidationException"})"),
            "ValidationException");
  EXPECT_EQ(ErrorNameIn(R"({"message":"x","__type": "ThrottlingException"})"),
            "ThrottlingException");
}

TEST(ErrorName, IsEmptyWhereThereIsNone) {
  for (const char* body : {"", "{}", R"({"__type")", R"({"__type":")", R"({"__type":"a b"})"}) {
    EXPECT_EQ(ErrorNameIn(body), "") << body;
  }
}

TEST(Tally, MergingAddsUp) {
  Tally a;
  a.latencies[0].Record(1000);
  a.errors["x"] = 2;
  a.measured_seconds = 1;
  Tally b;
  b.latencies[1].Record(3000);
  b.errors["x"] = 1;
  b.errors["y"] = 4;
  b.measured_seconds = 2;
  a.Merge(b);
  EXPECT_EQ(a.AllLatency().count(), 2U);
  EXPECT_EQ(a.ErrorCount(), 7U);
  EXPECT_EQ(a.measured_seconds, 2);
}

}  // namespace tally_test
}  // namespace stator::bench
