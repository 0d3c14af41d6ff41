// What the JSON of requests looks like, and that every structure is read back as it was written.
#include "wire/json_codec.h"

#include <gtest/gtest.h>

#include "stator/endpoint.h"

namespace stator {
namespace json_codec_test {

TEST(Requests, AbsentMembersAreLeftOut) {
  EXPECT_EQ(*RequestToJson(GetItemRequest{}), "{}");
  EXPECT_EQ(*RequestToJson(ListTablesRequest{.limit = 3}), R"({"Limit":3})");
}

TEST(Requests, ValuesHaveTheirTypes) {
  EXPECT_EQ(
      *RequestToJson(PutItemRequest{
          .table_name = "T",
          .item = Item{{"b", AttributeValue::Binary("\xff")}, {"n", 7}, {"s", "\"\n"}},
          .return_values = ReturnValues::kAllOld,
          .expression_attribute_values = ValueMap{{":l", AttributeValue::List({true})}}}),
      R"({"TableName":"T","Item":{"b":{"B":"/w=="},"n":{"N":"7"},"s":{"S":"\"\n"}},)"
      R"("ReturnValues":"ALL_OLD","ExpressionAttributeValues":{":l":{"L":[{"BOOL":true}]}}})");
}

TEST(Requests, BatchesNameTheirTables) {
  EXPECT_EQ(
      *RequestToJson(BatchWriteItemRequest{
          .request_items =
              BatchWriteMap{
                  {"T", {{.put_item = Item{{"k", "a"}}}, {.delete_key = Item{{"k", "b"}}}}}}}),
      R"({"RequestItems":{"T":[{"PutRequest":{"Item":{"k":{"S":"a"}}}},)"
      R"({"DeleteRequest":{"Key":{"k":{"S":"b"}}}}]}})");
  EXPECT_EQ(*RequestToJson(BatchGetItemRequest{
                .request_items = BatchGetMap{{"T", {.keys = std::vector<Item>{{{"k", "a"}}}}}}}),
            R"({"RequestItems":{"T":{"Keys":[{"k":{"S":"a"}}]}}})");
}

TEST(Requests, WordsThatAreNoneAreSentAsTheyAre) {
  EXPECT_EQ(*RequestToJson(ScanRequest{.select = Choice<Select>::Unknown("SOME")}),
            R"({"Select":"SOME"})");
}

TEST(Requests, AValueThatIsNoneIsNotSent) {
  const auto refused =
      RequestToJson(GetItemRequest{.key = Item{{"k", AttributeValue::Number("seven")}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kValidation);
  EXPECT_FALSE(RequestToJson(QueryRequest{.expression_attribute_values =
                                              ValueMap{{":v", AttributeValue::StringSet({})}}}));
}

// The request of this JSON, written again.
template <class Request>
std::string Again(std::string_view body) {
  JsonDocument document;
  EXPECT_TRUE(document.Parse(body)) << body;
  const Result<Request> request = RequestFromJson<Request>(document.root(), Wording::kClassic);
  if (!request) return request.error().message();
  return *RequestToJson(*request);
}

TEST(Requests, LegacyConditionsAreReadInFull) {
  constexpr std::string_view kUpdate =
      R"({"AttributeUpdates":{"c":{"Value":{"N":"3"},"Action":"ADD"}},)"
      R"("Expected":{"a":{"Value":{"S":"x"},"Exists":true},)"
      R"("b":{"ComparisonOperator":"IN","AttributeValueList":[{"N":"1"},{"N":"2"}]}}})";
  EXPECT_EQ(Again<UpdateItemRequest>(kUpdate), kUpdate);
  constexpr std::string_view kQuery =
      R"({"KeyConditions":{"a":{"AttributeValueList":[{"S":"x"}],"ComparisonOperator":"EQ"}},)"
      R"("QueryFilter":{"b":{"ComparisonOperator":"NULL"}}})";
  EXPECT_EQ(Again<QueryRequest>(kQuery), kQuery);
}

TEST(Requests, WrongShapesInsideBatchesHaveMessagesOfTheirOwn) {
  EXPECT_EQ(Again<BatchWriteItemRequest>(R"({"RequestItems":[]})"),
            "Unrecognized collection type java.util.Map<java.lang.String, "
            "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>>");
  EXPECT_EQ(Again<BatchWriteItemRequest>(R"({"RequestItems":{"T":{}}})"),
            "Start of structure or map found where not expected");
  EXPECT_TRUE(
      Again<BatchWriteItemRequest>(R"({"RequestItems":{"T":1}})").starts_with("class sun."));
  EXPECT_TRUE(Again<BatchGetItemRequest>(R"({"RequestItems":{"T":{"Keys":[1]}}})")
                  .starts_with("class sun."));
}

TEST(Requests, UnsupportedMembersAreRefused) {
  EXPECT_EQ(Again<CreateTableRequest>(R"({"TableName":"T","VectorIndexes":[]})"),
            "VectorIndexes is not supported by this version of Stator");
}

// A response of this JSON, written again.
template <class Response>
std::string ResponseAgain(std::string_view body) {
  JsonDocument document;
  EXPECT_TRUE(document.Parse(body)) << body;
  const Result<Response> response = ResponseFromJson<Response>(document.root());
  if (!response) return response.error().message();
  std::string json;
  JsonWriter out(json);
  ResponseToJson(out, *response);
  return json;
}

TEST(Responses, CapacityOfATransactionIsReadBackAsItWasWritten) {
  constexpr std::string_view kBody =
      R"({"ConsumedCapacity":[{"TableName":"T","CapacityUnits":4.0,"WriteCapacityUnits":4.0,)"
      R"("Table":{"CapacityUnits":2.0,"WriteCapacityUnits":2.0},)"
      R"("GlobalSecondaryIndexes":{"i":{"CapacityUnits":2.0}}}],)"
      R"("ItemCollectionMetrics":{"T":[{"ItemCollectionKey":{"k":{"S":"a"}},)"
      R"("SizeEstimateRangeGB":[0.0,1.0]}]}})";
  EXPECT_EQ(ResponseAgain<TransactWriteItemsResponse>(kBody), kBody);
}

TEST(Responses, RecordsOfExpiredItemsSaySo) {
  constexpr std::string_view kBody =
      R"({"Records":[{"eventID":"e","eventName":"REMOVE","eventVersion":"1.1",)"
      R"("eventSource":"aws:dynamodb","awsRegion":"r","dynamodb":{"ApproximateCreationDateTime":7,)"
      R"("Keys":{"k":{"S":"a"}},"SequenceNumber":"1","SizeBytes":2,"StreamViewType":"KEYS_ONLY"},)"
      R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}}]})";
  EXPECT_EQ(ResponseAgain<GetRecordsResponse>(kBody), kBody);
}

TEST(Responses, ContinuousBackupsAreOnOrOff) {
  constexpr std::string_view kOff =
      R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
      R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}})";
  constexpr std::string_view kOn =
      R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
      R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"ENABLED",)"
      R"("RecoveryPeriodInDays":7,"EarliestRestorableDateTime":1.500,)"
      R"("LatestRestorableDateTime":2.000}}})";
  EXPECT_EQ(ResponseAgain<ContinuousBackupsResponse>(kOff), kOff);
  EXPECT_EQ(ResponseAgain<ContinuousBackupsResponse>(kOn), kOn);
}

TEST(Responses, FailuresOfJobsStandAmongTheirMembers) {
  constexpr std::string_view kBody =
      R"({"BulkOperationDescription":{"BulkOperationArn":"a","BulkOperationStatus":"FAILED",)"
      R"("TableDetails":[{"TableName":"T","TableId":"i"}],"ClientToken":"t",)"
      R"("InputS3Configuration":{"S3Bucket":"b"},"StartTime":1.000,"EndTime":2.000,)"
      R"("ProcessedItemCount":1,"ProcessedInputBytes":2,"TotalInputBytes":3,"FailedItemCount":4,)"
      R"("BulkOperationUsage":[{"TableName":"T","BulkPutBytes":5}],"FailureCode":"C",)"
      R"("FailureMessage":"M","PerformanceTier":"STANDARD"}})";
  EXPECT_EQ(ResponseAgain<BulkOperationResponse>(kBody), kBody);
}

}  // namespace json_codec_test
}  // namespace stator
