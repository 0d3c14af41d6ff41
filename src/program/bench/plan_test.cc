#include "bench/plan.h"

#include <gtest/gtest.h>

namespace stator::bench {
namespace plan_test {

Options Local() {
  Options options;
  options.endpoint = "http://127.0.0.1:8000";
  return options;
}

std::string Refusal(const Options& options) {
  const auto plan = MakePlan(options);
  return plan ? "" : plan.error();
}

TEST(Plan, SaysWhatToDoInsteadOfTls) {
  Options options;
  options.endpoint = "https://dynamodb.eu-west-1.amazonaws.com";
  EXPECT_NE(Refusal(options).find("plain HTTP"), std::string::npos);
}

TEST(Plan, FollowsTheWorkload) {
  Options options = Local();
  options.workload = "query";
  options.connections = 3;
  options.threads = 8;
  const auto plan = MakePlan(options);
  ASSERT_TRUE(plan) << plan.error();
  EXPECT_EQ(plan->data.table_name, "stator-bench-ranges");
  EXPECT_EQ(plan->data.shape.item_bytes, 300U);
  EXPECT_EQ(plan->threads, 3);
  EXPECT_FALSE(plan->signer);
}

TEST(Plan, RefusesWhatCannotBeLoaded) {
  Options unknown = Local();
  unknown.workload = "frobnicate";
  EXPECT_EQ(Refusal(unknown), "'frobnicate' is not a workload");
  Options small = Local();
  small.partition_items = 10;
  EXPECT_EQ(Refusal(small), "a query cannot return more items than a partition has");
  Options odd = Local();
  odd.workload = "query";
  odd.items = 150;
  EXPECT_EQ(Refusal(odd), "the items must fill whole partitions");
}

}  // namespace plan_test
}  // namespace stator::bench
