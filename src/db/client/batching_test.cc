// Leftovers of batches, which only DynamoDB itself gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "stator/paging.h"

namespace stator {
namespace batching_test {

// Knows no operation.
class RefusingEndpoint : public Endpoint {
 public:
#define STATOR_REFUSE(Name)                                    \
  Result<Name##Response> Name(const Name##Request&) override { \
    return std::unexpected(Error::UnknownOperation());         \
  }
  STATOR_OPERATIONS(STATOR_REFUSE)
#undef STATOR_REFUSE
  Result<std::string> Execute(std::string_view, std::string_view) override {
    return std::unexpected(Error::UnknownOperation());
  }
};

// Carries out only some of each batch.
class BusyEndpoint final : public RefusingEndpoint {
 public:
  explicit BusyEndpoint(std::size_t done_of_a_call) : done_of_a_call_(done_of_a_call) {}

  Result<BatchWriteItemResponse> BatchWriteItem(const BatchWriteItemRequest& request) override {
    calls.push_back(0);
    BatchWriteItemResponse response;
    for (const auto& [table, writes] : *request.request_items) {
      for (const WriteRequest& write : writes) {
        if (calls.back()++ < done_of_a_call_) {
          written.insert(std::string(write.put_item->Find("k")->N()));
        } else {
          if (response.unprocessed_items.empty()) response.unprocessed_items.push_back({table, {}});
          response.unprocessed_items[0].second.push_back(write);
        }
      }
    }
    return response;
  }
  Result<BatchGetItemResponse> BatchGetItem(const BatchGetItemRequest& request) override {
    calls.push_back(0);
    BatchGetItemResponse response;
    for (const auto& [table, wanted] : *request.request_items) {
      EXPECT_EQ(wanted.projection_expression, "k");
      ItemList found;
      KeysAndAttributes left = wanted;
      left.keys->clear();
      for (const Item& key : *wanted.keys) {
        if (calls.back()++ < done_of_a_call_) {
          found.Append(key.view());
        } else {
          left.keys->push_back(key);
        }
      }
      response.responses.emplace_back(table, found);
      if (!left.keys->empty()) response.unprocessed_keys.emplace_back(table, left);
    }
    return response;
  }

  std::vector<std::size_t> calls;  // how much each asked for
  std::set<std::string> written;

 private:
  const std::size_t done_of_a_call_;
};

struct Waits {
  BatchOptions Options() {
    return {.max_attempts = 3,
            .sleep = [this](std::chrono::milliseconds time) { bounds.push_back(time.count()); },
            .random = [](std::uint64_t bound) { return bound; }};
  }
  std::vector<std::int64_t> bounds;
};

BatchWriteMap Writes(int count) {
  BatchWriteMap map{{"T", {}}};
  for (int i = 0; i < count; ++i) map[0].second.push_back({.put_item = Item{{"k", i}}});
  return map;
}

TEST(Batching, WritesGoTwentyFiveToACall) {
  BusyEndpoint endpoint(1000);
  Waits waits;
  EXPECT_TRUE(BatchWriteAll(endpoint, Writes(60), waits.Options()));
  EXPECT_EQ(endpoint.calls, (std::vector<std::size_t>{25, 25, 10}));
  EXPECT_TRUE(waits.bounds.empty());
}

TEST(Batching, LeftoversOfWritesAreSentAgainAfterAWait) {
  BusyEndpoint endpoint(10);
  Waits waits;
  EXPECT_TRUE(BatchWriteAll(endpoint, Writes(30), waits.Options()));
  EXPECT_EQ(endpoint.written.size(), 30);
  EXPECT_EQ(endpoint.calls, (std::vector<std::size_t>{25, 20, 10}));
  EXPECT_EQ(waits.bounds, (std::vector<std::int64_t>{25, 50}));
}

TEST(Batching, LeftoversOfReadsAreAskedForAgain) {
  BusyEndpoint endpoint(70);
  Waits waits;
  KeysAndAttributes wanted{.keys = std::vector<Item>(), .projection_expression = "k"};
  for (int i = 0; i < 150; ++i) wanted.keys->push_back(Item{{"k", i}});
  const auto all = BatchGetAll(endpoint, {{"T", wanted}}, waits.Options());
  ASSERT_TRUE(all);
  EXPECT_EQ((*all)[0].second.size(), 150);
  EXPECT_EQ(endpoint.calls, (std::vector<std::size_t>{100, 80, 10}));
}

TEST(Batching, WithoutProgressItEnds) {
  BusyEndpoint endpoint(0);
  Waits waits;
  const auto written = BatchWriteAll(endpoint, Writes(1), waits.Options());
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code(), ErrorCode::kProvisionedThroughputExceeded);
  EXPECT_EQ(endpoint.calls.size(), 3);
}

TEST(Batching, NothingIsDoneWithoutACall) {
  BusyEndpoint endpoint(0);
  EXPECT_TRUE(BatchWriteAll(endpoint, {}));
  EXPECT_TRUE(BatchGetAll(endpoint, {{"T", {}}})->empty());
  EXPECT_TRUE(endpoint.calls.empty());
}

}  // namespace batching_test
}  // namespace stator
