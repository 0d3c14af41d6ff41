// What the requests' JSON looks like; that a server understands it is shown in tests/client_endpoint.
#include "client/requests.h"

#include <gtest/gtest.h>

namespace stator {
namespace requests_test {

TEST(Requests, AbsentMembersAreLeftOut) {
  EXPECT_EQ(*EncodeRequest(GetItemRequest{}), "{}");
  EXPECT_EQ(*EncodeRequest(ListTablesRequest{.limit = 3}), R"({"Limit":3})");
}

TEST(Requests, ValuesHaveTheirTypes) {
  EXPECT_EQ(
      *EncodeRequest(PutItemRequest{
          .table_name = "T",
          .item = Item{{"b", AttributeValue::Binary("\xff")}, {"n", 7}, {"s", "\"\n"}},
          .return_values = ReturnValues::kAllOld,
          .expression_attribute_values = ValueMap{{":l", AttributeValue::List({true})}}}),
      R"({"TableName":"T","Item":{"b":{"B":"/w=="},"n":{"N":"7"},"s":{"S":"\"\n"}},)"
      R"("ReturnValues":"ALL_OLD","ExpressionAttributeValues":{":l":{"L":[{"BOOL":true}]}}})");
}

TEST(Requests, BatchesNameTheirTables) {
  EXPECT_EQ(
      *EncodeRequest(BatchWriteItemRequest{
          .request_items =
              BatchWriteMap{
                  {"T", {{.put_item = Item{{"k", "a"}}}, {.delete_key = Item{{"k", "b"}}}}}}}),
      R"({"RequestItems":{"T":[{"PutRequest":{"Item":{"k":{"S":"a"}}}},)"
      R"({"DeleteRequest":{"Key":{"k":{"S":"b"}}}}]}})");
  EXPECT_EQ(*EncodeRequest(BatchGetItemRequest{
                .request_items = BatchGetMap{{"T", {.keys = std::vector<Item>{{{"k", "a"}}}}}}}),
            R"({"RequestItems":{"T":{"Keys":[{"k":{"S":"a"}}]}}})");
}

TEST(Requests, WordsThatAreNoneAreSentAsTheyAre) {
  EXPECT_EQ(*EncodeRequest(ScanRequest{.select = Choice<Select>::Unknown("SOME")}),
            R"({"Select":"SOME"})");
}

TEST(Requests, AValueThatIsNoneIsNotSent) {
  const auto refused =
      EncodeRequest(GetItemRequest{.key = Item{{"k", AttributeValue::Number("seven")}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kValidation);
  EXPECT_FALSE(EncodeRequest(QueryRequest{.expression_attribute_values =
                                              ValueMap{{":v", AttributeValue::StringSet({})}}}));
}

}  // namespace requests_test
}  // namespace stator
