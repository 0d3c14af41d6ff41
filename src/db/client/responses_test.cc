// Answers as they should be are read in tests/client_endpoint; here are those that Stator's own
// server never gives.
#include "client/responses.h"

#include <gtest/gtest.h>

namespace stator {
namespace responses_test {

TEST(Responses, LeftoversOfBatchesComeBackAsTheyWereSent) {
  const auto writes = DecodeResponse<BatchWriteItemResponse>(
      R"({"UnprocessedItems": {"T": [{"PutRequest": {"Item": {"k": {"S": "a"}}}},
                                     {"DeleteRequest": {"Key": {"k": {"S": "b"}}}}]}})");
  ASSERT_TRUE(writes);
  ASSERT_EQ(writes->unprocessed_items.size(), 1);
  EXPECT_EQ(writes->unprocessed_items[0].second[0].put_item, (Item{{"k", "a"}}));
  EXPECT_EQ(writes->unprocessed_items[0].second[1].delete_key, (Item{{"k", "b"}}));

  const auto keys = DecodeResponse<BatchGetItemResponse>(
      R"({"Responses": {}, "UnprocessedKeys": {"T": {"Keys": [{"k": {"N": "1"}}],
          "ConsistentRead": true, "ProjectionExpression": "a"}}})");
  ASSERT_TRUE(keys);
  ASSERT_EQ(keys->unprocessed_keys.size(), 1);
  EXPECT_EQ(keys->unprocessed_keys[0].second.keys->at(0), (Item{{"k", 1}}));
  EXPECT_EQ(keys->unprocessed_keys[0].second.projection_expression, "a");
}

TEST(Responses, WhatIsNotNamedIsPassedOver) {
  const auto table = DecodeResponse<DescribeTableResponse>(
      R"({"Table": {"TableName": "T", "TableStatus": "ACTIVE", "Replicas": [{"RegionName": "x"}],
          "SSEDescription": {"Status": "ENABLED"}, "CreationDateTime": 1.7672256E9}})");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->table.table_name, "T");
  EXPECT_EQ(table->table.creation_ms, 1'767'225'600'000);
}

TEST(Responses, AnEmptyBodyIsAnEmptyAnswer) { EXPECT_TRUE(DecodeResponse<EmptyResponse>("")); }

template <class Response>
void ExpectUnreadable(std::string_view body) {
  const auto response = DecodeResponse<Response>(body);
  ASSERT_FALSE(response) << body;
  EXPECT_EQ(response.error().code(), ErrorCode::kNoAnswer) << body;
}

TEST(Responses, AnswersOfTheWrongShapeAreErrors) {
  for (const char* body :
       {"[]", "{", "nothing", R"({"Item": []})", R"({"Item": {"a": "b"}})",
        R"({"Item": {"a": {"N": "x"}}})", R"({"Item": {"a": {"SS": []}}})",
        R"({"ConsumedCapacity": 7})", R"({"ConsumedCapacity": {"CapacityUnits": "many"}})",
        R"({"ConsumedCapacity": {"LocalSecondaryIndexes": {"i": 1}}})"}) {
    ExpectUnreadable<GetItemResponse>(body);
  }
  for (const char* body : {R"({"Items": {}})", R"({"Items": [1]})", R"({"Count": "x"})",
                           R"({"LastEvaluatedKey": [1]})", R"({"Items": [null]})"}) {
    ExpectUnreadable<PageResponse>(body);
  }
  for (const char* body :
       {R"({"UnprocessedItems": []})", R"({"UnprocessedItems": {"T": {}}})",
        R"({"UnprocessedItems": {"T": [{}]}})", R"({"UnprocessedItems": {"T": [7]}})",
        R"({"UnprocessedItems": {"T": [{"PutRequest": {"Item": 1}}]}})",
        R"({"ItemCollectionMetrics": {"T": [{"SizeEstimateRangeGB": [1]}]}})"}) {
    ExpectUnreadable<BatchWriteItemResponse>(body);
  }
  for (const char* body : {"{}", R"({"Table": {"TableStatus": "MOLTEN"}})",
                           R"({"Table": {"KeySchema": [{"AttributeName": "a"}]}})"}) {
    ExpectUnreadable<DescribeTableResponse>(body);
  }
}

}  // namespace responses_test
}  // namespace stator
