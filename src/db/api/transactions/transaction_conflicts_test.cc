// Strict conflicts, seen by clients: what they get while a transaction has an item.
#include <gtest/gtest.h>

#include <future>
#include <string>

#include "api/error_body.h"
#include "api/testing/api_test.h"
#include "engine/testing/held_store.h"

namespace stator {
namespace transaction_conflicts_test {

constexpr std::string_view kMove = R"json({"ClientRequestToken":"t","TransactItems":[
  {"Update":{"TableName":"Tab","Key":{"pk":{"S":"a"}},"UpdateExpression":"REMOVE x"}},
  {"ConditionCheck":{"TableName":"Tab","Key":{"pk":{"S":"b"}},
                     "ConditionExpression":"attribute_not_exists(pk)"}}]})json";
constexpr std::string_view kConflict =
    "TransactionConflictException: Transaction is ongoing for the item";

class TransactionConflictsTest : public ApiTest {
 protected:
  TransactionConflictsTest() {
    engine_.reset();
    engine_ = *Engine::Open(held_.MakeStore(), {.region = "us-east-1",
                                                .account = "000000000000",
                                                .clock = &clock_,
                                                .strict_conflicts = true});
    EXPECT_TRUE(Call(kCreateTable, R"({"TableName":"Tab","BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})"));
    held_.Hold();
    JsonDocument document;
    EXPECT_TRUE(document.Parse(kMove));
    kTransactWriteItems.run_json(
        *engine_, Wording::kClassic, document.root(),
        [this](Result<std::string> result) { running_.set_value(std::move(result)); });
  }
  ~TransactionConflictsTest() override {
    held_.LetGo();
    engine_.reset();
  }

  template <class Request, class Response>
  std::string Body(const ApiOperation<Request, Response>& operation, std::string_view body) {
    const Result<std::string> answer = Call(operation, body);
    return answer ? *answer : ErrorBody(answer.error());
  }

  HeldRows held_;
  std::promise<Result<std::string>> running_;
};

TEST_F(TransactionConflictsTest, SingleWritesAndBatchesAreRefused) {
  EXPECT_EQ(Answer(kPutItem, R"({"TableName":"Tab","Item":{"pk":{"S":"a"}}})"), kConflict);
  EXPECT_EQ(Answer(kDeleteItem, R"({"TableName":"Tab","Key":{"pk":{"S":"b"}}})"), kConflict);
  EXPECT_EQ(Answer(kUpdateItem,
                   R"({"TableName":"Tab","Key":{"pk":{"S":"a"}},"UpdateExpression":"REMOVE x"})"),
            kConflict);
  EXPECT_EQ(Answer(kBatchWriteItem, R"({"RequestItems":{"Tab":[
              {"PutRequest":{"Item":{"pk":{"S":"z"}}}},
              {"PutRequest":{"Item":{"pk":{"S":"a"}}}}]}})"),
            kConflict);
}

TEST_F(TransactionConflictsTest, OtherTransactionsAreCancelledAndNameTheItem) {
  const std::string expected =
      R"({"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",)"
      R"("Message":"Transaction cancelled, please refer cancellation reasons for specific reasons )"
      R"([None, TransactionConflict]","CancellationReasons":[{"Code":"None"},)"
      R"({"Code":"TransactionConflict","Message":"Transaction is ongoing for the item"}]})";
  EXPECT_EQ(Body(kTransactWriteItems, R"({"TransactItems":[
              {"Put":{"TableName":"Tab","Item":{"pk":{"S":"z"}}}},
              {"Delete":{"TableName":"Tab","Key":{"pk":{"S":"b"}}}}]})"),
            expected);
  EXPECT_EQ(Body(kTransactGetItems, R"({"TransactItems":[
              {"Get":{"TableName":"Tab","Key":{"pk":{"S":"z"}}}},
              {"Get":{"TableName":"Tab","Key":{"pk":{"S":"a"}}}}]})"),
            expected);
}

TEST_F(TransactionConflictsTest, TheSameTokenIsInProgress) {
  EXPECT_EQ(Answer(kTransactWriteItems, kMove),
            "TransactionInProgressException: Transaction from previous request is still in "
            "progress");
}

TEST_F(TransactionConflictsTest, ReadsGoOnAndEverythingGoesOnAfterTheAnswer) {
  EXPECT_EQ(Answer(kGetItem, R"({"TableName":"Tab","Key":{"pk":{"S":"a"}}})"), "{}");
  held_.LetGo();
  EXPECT_EQ(running_.get_future().get().value(), "{}");
  EXPECT_EQ(Answer(kTransactWriteItems, kMove), "{}");
  EXPECT_EQ(Answer(kPutItem, R"({"TableName":"Tab","Item":{"pk":{"S":"b"}}})"), "{}");
  EXPECT_EQ(Answer(kTransactGetItems,
                   R"({"TransactItems":[{"Get":{"TableName":"Tab","Key":{"pk":{"S":"b"}}}}]})"),
            R"({"Responses":[{"Item":{"pk":{"S":"b"}}}]})");
}

}  // namespace transaction_conflicts_test
}  // namespace stator
