#include "client/caller.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <deque>
#include <vector>

namespace stator {
namespace caller_test {

using Answer = std::expected<http::Response, TransportFailure>;

// Gives prepared answers, one a call, and the last of them again and again.
class PreparedTransport final : public Transport {
 public:
  PreparedTransport(std::deque<Answer> answers, std::vector<std::string>& requests)
      : answers_(std::move(answers)), requests_(requests) {}
  Answer Exchange(std::string_view request) override {
    requests_.emplace_back(request);
    Answer answer = answers_.front();
    if (answers_.size() > 1) answers_.pop_front();
    return answer;
  }

 private:
  std::deque<Answer> answers_;
  std::vector<std::string>& requests_;
};

Answer Http(int status, std::string body) {
  return http::Response{.status = status, .headers = {}, .body = std::move(body)};
}
Answer Named(std::string_view name) {
  return Http(400, R"({"__type":"x#)" + std::string(name) + R"(","message":"m"})");
}
Answer Failed(bool is_retryable) {
  return std::unexpected(TransportFailure{.message = "gone", .is_retryable = is_retryable});
}

// A call with prepared answers, and what it took.
struct Attempts {
  explicit Attempts(std::deque<Answer> answers, int max_attempts = 4,
                    std::string_view operation = "ListTables")
      : result(std::string()) {
    Caller caller(
        {.transport = std::make_unique<PreparedTransport>(std::move(answers), requests),
         .requests = std::make_unique<SignedRequests>(
             "h", SigningCredentials{"AKID", "SECRET", "TOKEN"}, "us-east-1"),
         .clock = std::make_unique<ManualClock>(TimeMs(std::chrono::seconds(1'440'938'160))),
         .means = {
             .sleep = [this](std::chrono::milliseconds time) { waits.push_back(time.count()); },
             .random = [](std::uint64_t bound) { return bound; }},
         .max_attempts = max_attempts});
    result = caller.Call(operation, "{}");
  }
  std::vector<std::string> requests;
  std::vector<std::int64_t> waits;
  Result<std::string> result;
};

TEST(Caller, ReturnsTheBody) {
  const Attempts run({Http(200, "{\"a\":1}")});
  EXPECT_EQ(*run.result, "{\"a\":1}");
  EXPECT_EQ(run.requests.size(), 1);
  EXPECT_TRUE(run.waits.empty());
}

TEST(Caller, TriesAgainAfterWhatMayPass) {
  for (const Answer& passing :
       {Failed(true), Http(500, ""), Http(503, "<html>"), Named("ThrottlingException"),
        Named("ProvisionedThroughputExceededException"), Named("RequestLimitExceeded"),
        Named("TransactionInProgressException")}) {
    const Attempts run({passing, passing, Http(200, "{}")});
    EXPECT_TRUE(run.result);
    EXPECT_EQ(run.requests.size(), 3);
    EXPECT_EQ(run.waits, (std::vector<std::int64_t>{25, 50}));
  }
}

TEST(Caller, DoesNotTryAgainWhatWouldFailAgain) {
  for (const Answer& lasting :
       {Failed(false), Named("ValidationException"), Named("ConditionalCheckFailedException"),
        Named("TransactionCanceledException"), Named("AccessDeniedException"), Http(404, "")}) {
    const Attempts run({lasting, Http(200, "{}")});
    EXPECT_FALSE(run.result);
    EXPECT_EQ(run.requests.size(), 1);
  }
}

TEST(Caller, GivesUpInTheEnd) {
  const Attempts run({Failed(true)}, 12);
  EXPECT_EQ(run.result.error().code(), ErrorCode::kNoAnswer);
  EXPECT_EQ(run.requests.size(), 12);
  EXPECT_EQ(run.waits.back(), Backoff::kLongest.count());
}

TEST(Caller, ChecksTheChecksum) {
  http::Response good{.status = 200, .headers = {}, .body = "{}"};
  http::Response bad = good;
  good.headers = {{"x-amz-crc32", std::to_string(libdeflate_crc32(0, "{}", 2))}};
  bad.headers = {{"x-amz-crc32", "1"}};
  const Attempts again({bad, good});
  EXPECT_TRUE(again.result);
  EXPECT_EQ(again.requests.size(), 2);
  const Attempts never({bad});
  EXPECT_EQ(never.result.error().code(), ErrorCode::kNoAnswer);
}

TEST(Caller, SendsNoOperationThatIsNoName) {
  for (const std::string operation : {"", "A\r\nB", "A B", "A.B"}) {
    const Attempts run({Http(200, "{}")}, 1, operation);
    EXPECT_EQ(run.result.error().code(), ErrorCode::kUnknownOperation);
    EXPECT_TRUE(run.requests.empty());
  }
}

// Computed with botocore's SigV4Auth for the same request.
TEST(Caller, SignsAsBotocoreDoes) {
  const Attempts run({Http(200, "{}")});
  EXPECT_EQ(run.requests[0],
            "POST / HTTP/1.1\r\n"
            "content-type: application/x-amz-json-1.0\r\n"
            "host: h\r\n"
            "x-amz-date: 20150830T123600Z\r\n"
            "x-amz-security-token: TOKEN\r\n"
            "x-amz-target: DynamoDB_20120810.ListTables\r\n"
            "authorization: AWS4-HMAC-SHA256 "
            "Credential=AKID/20150830/us-east-1/dynamodb/aws4_request, "
            "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, "
            "Signature=e7152d44c56d38cb8de8d3e886b657bd279f4008b0ce278288188ac29c72e14e\r\n"
            "user-agent: stator-client\r\n"
            "content-length: 2\r\n\r\n{}");
}

TEST(Caller, AsksTheServiceOfStreamsForThem) {
  const Attempts run({Http(200, "{}")}, 1, "ListStreams");
  EXPECT_NE(run.requests[0].find("DynamoDBStreams_20120810.ListStreams"), std::string::npos);
}

}  // namespace caller_test
}  // namespace stator
