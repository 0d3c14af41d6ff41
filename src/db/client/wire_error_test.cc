#include "client/wire_error.h"

#include <gtest/gtest.h>

#include "stator/item.h"

namespace stator {
namespace wire_error_test {

TEST(WireError, KnowsDynamoDbsNames) {
  const Error error = ErrorFromAnswer(
      400, R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
               "message":"Requested resource not found"})");
  EXPECT_EQ(error.code(), ErrorCode::kResourceNotFound);
  EXPECT_EQ(error.message(), "Requested resource not found");
}

TEST(WireError, KeepsNamesThatItDoesNotKnow) {
  const Error error = ErrorFromAnswer(400, R"({"__type":"x#SlowDown:http://y/","Message":"slow"})");
  EXPECT_EQ(error.code(), ErrorCode::kOther);
  EXPECT_EQ(error.name(), "SlowDown");
  EXPECT_EQ(error.message(), "slow");
  // No answer is what only a client can find out.
  EXPECT_EQ(ErrorFromAnswer(400, R"({"__type":"NoAnswer"})").code(), ErrorCode::kOther);
}

TEST(WireError, CarriesItemsAndReasons) {
  const Error failed = ErrorFromAnswer(
      400,
      R"({"__type":"a#ConditionalCheckFailedException","message":"m","Item":{"k":{"N":"1"}}})");
  EXPECT_EQ(failed.code(), ErrorCode::kConditionalCheckFailed);
  EXPECT_EQ(failed.item(), (Item{{"k", 1}}).encoded());

  const Error canceled = ErrorFromAnswer(
      400, R"({"__type":"a#TransactionCanceledException","Message":"m","CancellationReasons":[
               {"Code":"None"},
               {"Code":"ConditionalCheckFailed","Message":"no","Item":{"k":{"S":"x"}}}]})");
  ASSERT_EQ(canceled.cancellation_reasons().size(), 2);
  EXPECT_EQ(canceled.cancellation_reasons()[0].code, "None");
  EXPECT_EQ(canceled.cancellation_reasons()[1].message, "no");
  EXPECT_EQ(canceled.cancellation_reasons()[1].item, (Item{{"k", "x"}}).encoded());
}

TEST(WireError, DetailThatCannotBeReadDoesNotHideTheError) {
  const Error error = ErrorFromAnswer(
      400, R"({"__type":"a#ConditionalCheckFailedException","message":"m","Item":[1]})");
  EXPECT_EQ(error.code(), ErrorCode::kConditionalCheckFailed);
  EXPECT_TRUE(error.item().empty());
}

TEST(WireError, AProxysPageIsAnErrorOfItsStatus) {
  for (const char* body : {"", "<html>", "[]", "{}", R"({"__type":7})", R"({"__type":"a#"})"}) {
    EXPECT_EQ(ErrorFromAnswer(503, body).code(), ErrorCode::kInternalServerError);
    const Error error = ErrorFromAnswer(413, body);
    EXPECT_EQ(error.code(), ErrorCode::kOther);
    EXPECT_NE(error.message().find("413"), std::string::npos);
    EXPECT_FALSE(error.name().empty());
  }
}

}  // namespace wire_error_test
}  // namespace stator
