#include "bench/request.h"

#include <gtest/gtest.h>

#include "bench/request_bodies.h"

namespace stator::bench {
namespace request_test {

http::Url Local() { return *http::ParseUrl("http://127.0.0.1:8000"); }

DataPlan PlanOf(TableKind kind, std::uint64_t partition_items = 100) {
  return {.table_name = "t",
          .table = kind,
          .shape = ShapeOf(kind, 1024, 12),
          .items = 1000,
          .partition_items = partition_items,
          .query_items = 100};
}

std::string BodyOf(Operation operation, const DataPlan& plan) {
  Prng prng(1);
  return OperationBody(operation, plan, 10, prng);
}

TEST(Request, IsCompleteHttpWithTheRightLength) {
  const RequestFactory factory(Local(), std::nullopt);
  const Request request = factory.Make("GetItem", "{\"a\":1}");
  const std::string_view bytes = request.bytes();
  EXPECT_TRUE(bytes.starts_with("POST / HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n"));
  EXPECT_NE(bytes.find("X-Amz-Target: DynamoDB_20120810.GetItem\r\n"), std::string_view::npos);
  EXPECT_NE(bytes.find("Authorization: AWS4-HMAC-SHA256 Credential="), std::string_view::npos);
  EXPECT_TRUE(bytes.ends_with("Content-Length: 7\r\n\r\n{\"a\":1}"));
  EXPECT_EQ(request.body(), "{\"a\":1}");
}

TEST(Request, FillingAHoleChangesNothingElse) {
  const RequestFactory factory(Local(), std::nullopt);
  Request request = factory.Make("GetItem", BodyOf(Operation::kGetItem, PlanOf(TableKind::kItems)));
  ASSERT_EQ(request.hole_count(), 1U);
  const std::size_t length = request.bytes().size();
  request.FillAll(42);
  EXPECT_EQ(request.body(), R"({"TableName":"t","Key":{"pk":{"S":"user000000000042"}}})");
  request.FillAll(999'999'999'999);
  EXPECT_EQ(request.body(), R"({"TableName":"t","Key":{"pk":{"S":"user999999999999"}}})");
  EXPECT_EQ(request.bytes().size(), length);
}

TEST(Request, EveryOperationHasTheHolesThatItsHeaderNames) {
  const RequestFactory factory(Local(), std::nullopt);
  const auto holes = [&](Operation operation, const DataPlan& plan) {
    return factory.Make(WireName(operation), BodyOf(operation, plan)).hole_count();
  };
  const DataPlan items = PlanOf(TableKind::kItems);
  EXPECT_EQ(holes(Operation::kPutItem, items), 2U);
  EXPECT_EQ(holes(Operation::kPutItem, PlanOf(TableKind::kIndexed)), 5U);
  EXPECT_EQ(holes(Operation::kConditionalUpdate, items), 1U);
  EXPECT_EQ(holes(Operation::kScan, items), 1U);
  EXPECT_EQ(holes(Operation::kBatchGetItem, items), kBatchItems);
  EXPECT_EQ(holes(Operation::kBatchWriteItem, items), kBatchItems);
  EXPECT_EQ(holes(Operation::kTransactWriteItems, items), kTransactionItems);
  EXPECT_EQ(holes(Operation::kQuery, PlanOf(TableKind::kRanges)), 1U);
  EXPECT_EQ(holes(Operation::kQuery, PlanOf(TableKind::kRanges, 1000)), 3U);
}

TEST(Request, ASignatureIsMadeForTheFilledBody) {
  const SigningCredentials credentials{.access_key_id = "AKIDEXAMPLE",
                                       .secret_access_key = "secret"};
  RequestFactory factory(Local(), RequestSigner(credentials, "us-east-1", "dynamodb"));
  Request request = factory.Make("GetItem", BodyOf(Operation::kGetItem, PlanOf(TableKind::kItems)));
  request.FillAll(7);
  factory.Sign(request, 1440938160);
  const std::string date = "20150830T123600Z";
  const std::vector<http::HeaderField> headers = {{"host", "127.0.0.1:8000"},
                                                  {"x-amz-date", date},
                                                  {"x-amz-target", "DynamoDB_20120810.GetItem"}};
  RequestSigner independent(credentials, "us-east-1", "dynamodb");
  const std::string expected = independent.Authorization(
      {.method = "POST", .path = "/", .query = "", .headers = headers, .body = request.body()},
      date);
  EXPECT_NE(request.bytes().find("\r\nX-Amz-Date: " + date + "\r\n"), std::string_view::npos);
  EXPECT_NE(request.bytes().find("\r\nAuthorization: " + expected + "\r\n"),
            std::string_view::npos);
}

TEST(Request, ASessionTokenIsSentAndSigned) {
  const SigningCredentials credentials{
      .access_key_id = "A", .secret_access_key = "s", .session_token = "tok"};
  RequestFactory factory(Local(), RequestSigner(credentials, "us-east-1", "dynamodb"));
  Request request = factory.Make("GetItem", "{}");
  factory.Sign(request, 1440938160);
  EXPECT_NE(request.bytes().find("\r\nX-Amz-Security-Token: tok\r\n"), std::string_view::npos);
  EXPECT_NE(request.bytes().find("SignedHeaders=host;x-amz-date;x-amz-security-token;x-amz-target"),
            std::string_view::npos);
}

TEST(ItemShape, ItemsOfAShapeAreEquallyLongAndDifferent) {
  Prng prng(3);
  const ItemShape shape;
  const KeyText text = KeyTextOf(5);
  const ItemKey key{.partition = {text.data(), text.size()}, .sort = ""};
  std::string first;
  AppendItemJson(first, shape, key, prng);
  std::string second;
  AppendItemJson(second, shape, key, prng);
  EXPECT_EQ(first.size(), second.size());
  EXPECT_NE(first, second);
}

TEST(ItemShape, AnItemHasAtLeastOneText) {
  Prng prng(3);
  const ItemShape shape{.item_bytes = 1, .attributes = 1};
  std::string json;
  AppendItemJson(json, shape, {.partition = kHole, .sort = kHole}, prng);
  EXPECT_NE(json.find("field00"), std::string::npos);
  EXPECT_EQ(FirstTextBytes(shape), 1U);
}

TEST(Workload, SharesAddUpToOne) {
  for (const Workload& workload : AllWorkloads()) {
    double sum = 0;
    for (const Share& share : workload.shares) sum += share.fraction;
    EXPECT_DOUBLE_EQ(sum, 1) << workload.name;
    EXPECT_EQ(FindWorkload(workload.name), &workload);
  }
  EXPECT_EQ(FindWorkload("frobnicate"), nullptr);
}

}  // namespace request_test
}  // namespace stator::bench
