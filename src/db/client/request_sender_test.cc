#include "client/request_sender.h"

#include <gtest/gtest.h>
#include <libdeflate.h>

#include <algorithm>
#include <deque>
#include <vector>

namespace stator {
namespace request_sender_test {

using Answer = std::expected<http::Response, http::TransportFailure>;

// Gives the prepared answers, one per request, and the last of them from then on.
class PreparedTransport final : public http::Transport {
 public:
  PreparedTransport(std::deque<Answer> answers, std::vector<http::Request>& requests)
      : answers_(std::move(answers)), requests_(requests) {}
  Answer Exchange(const http::Request& request) override {
    requests_.push_back(request);
    Answer answer = answers_.front();
    if (answers_.size() > 1) answers_.pop_front();
    return answer;
  }

 private:
  std::deque<Answer> answers_;
  std::vector<http::Request>& requests_;
};

Answer Http(int status, std::string body) {
  return http::Response{.status = status, .head = {}, .body = std::move(body)};
}
Answer Named(std::string_view name) {
  return Http(400, R"({"__type":"x#)" + std::string(name) + R"(","message":"m"})");
}
Answer Failed(bool is_retryable) {
  return std::unexpected(http::TransportFailure{.message = "gone", .is_retryable = is_retryable});
}

// Sends one operation, gets the prepared answers, and keeps what it took.
struct Attempts {
  explicit Attempts(std::deque<Answer> answers, int max_attempts = 4,
                    std::string_view operation = "ListTables")
      : result(std::string()) {
    RequestSender sender(
        {.transport = std::make_unique<PreparedTransport>(std::move(answers), requests),
         .requests = std::make_unique<SignedRequests>(
             "h", SigningCredentials{"AKID", "SECRET", "TOKEN"}, "us-east-1"),
         .clock = std::make_unique<ManualClock>(TimeMs(std::chrono::seconds(1'440'938'160))),
         .means = {
             .sleep = [this](std::chrono::milliseconds time) { waits.push_back(time.count()); },
             .random = [](std::uint64_t bound) { return bound; }},
         .max_attempts = max_attempts});
    result = sender.Send(operation, "{}");
  }
  std::vector<http::Request> requests;
  std::vector<std::int64_t> waits;
  Result<std::string> result;
};

TEST(RequestSender, ReturnsTheBody) {
  const Attempts run({Http(200, "{\"a\":1}")});
  EXPECT_EQ(*run.result, "{\"a\":1}");
  EXPECT_EQ(run.requests.size(), 1);
  EXPECT_TRUE(run.waits.empty());
}

TEST(RequestSender, TriesAgainAfterWhatMayPass) {
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

TEST(RequestSender, DoesNotTryAgainWhatWouldFailAgain) {
  for (const Answer& lasting :
       {Failed(false), Named("ValidationException"), Named("ConditionalCheckFailedException"),
        Named("TransactionCanceledException"), Named("AccessDeniedException"), Http(404, "")}) {
    const Attempts run({lasting, Http(200, "{}")});
    EXPECT_FALSE(run.result);
    EXPECT_EQ(run.requests.size(), 1);
  }
}

TEST(RequestSender, GivesUpInTheEnd) {
  const Attempts run({Failed(true)}, 12);
  EXPECT_EQ(run.result.error().code(), ErrorCode::kNoAnswer);
  EXPECT_EQ(run.requests.size(), 12);
  EXPECT_EQ(run.waits.back(), Backoff::kLongest.count());
}

TEST(RequestSender, ChecksTheChecksum) {
  http::Response good{.status = 200, .head = {}, .body = "{}"};
  http::Response bad = good;
  good.head = "X-Amz-Crc32: " + std::to_string(libdeflate_crc32(0, "{}", 2)) + "\r\n";
  bad.head = "x-amz-crc32: 1\r\n";
  const Attempts again({bad, good});
  EXPECT_TRUE(again.result);
  EXPECT_EQ(again.requests.size(), 2);
  const Attempts never({bad});
  EXPECT_EQ(never.result.error().code(), ErrorCode::kNoAnswer);
}

TEST(RequestSender, RefusesOperationsThatAreNotNames) {
  for (const std::string operation : {"", "A\r\nB", "A B", "A.B"}) {
    const Attempts run({Http(200, "{}")}, 1, operation);
    EXPECT_EQ(run.result.error().code(), ErrorCode::kUnknownOperation);
    EXPECT_TRUE(run.requests.empty());
  }
}

// Computed with botocore's SigV4Auth for the same request.
TEST(RequestSender, SignsAsBotocoreDoes) {
  const Attempts run({Http(200, "{}")});
  const http::Request& request = run.requests[0];
  EXPECT_EQ(request.method, http::Request::Method::kPost);
  EXPECT_EQ(request.path, "/");
  EXPECT_EQ(request.body, "{}");
  EXPECT_EQ(
      request.headers,
      (std::vector<std::string>{
          "content-type: application/x-amz-json-1.0", "host: h", "x-amz-date: 20150830T123600Z",
          "x-amz-security-token: TOKEN", "x-amz-target: DynamoDB_20120810.ListTables",
          "authorization: AWS4-HMAC-SHA256 "
          "Credential=AKID/20150830/us-east-1/dynamodb/aws4_request, "
          "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target, "
          "Signature=e7152d44c56d38cb8de8d3e886b657bd279f4008b0ce278288188ac29c72e14e",
          "user-agent: stator-client"}));
}

TEST(RequestSender, AddressesTheServiceOfStreams) {
  const Attempts run({Http(200, "{}")}, 1, "ListStreams");
  const std::string target = "x-amz-target: DynamoDBStreams_20120810.ListStreams";
  EXPECT_EQ(std::ranges::count(run.requests[0].headers, target), 1);
}

}  // namespace request_sender_test
}  // namespace stator
