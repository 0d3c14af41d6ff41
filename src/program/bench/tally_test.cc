#include "bench/tally.h"

#include <gtest/gtest.h>

namespace stator::bench {
namespace tally_test {

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
