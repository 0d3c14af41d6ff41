#include "client/signed_requests.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace stator {
namespace {

constexpr std::string_view kContentType = "application/x-amz-json-1.0";
constexpr std::size_t kOperationBytesMax = 128;
constexpr std::array<std::string_view, 4> kStreamOperations = {"DescribeStream", "GetRecords",
                                                               "GetShardIterator", "ListStreams"};

// Streams are a service of their own.
std::string TargetOf(std::string_view operation) {
  const bool is_stream = std::ranges::find(kStreamOperations, operation) != kStreamOperations.end();
  return std::string(is_stream ? "DynamoDBStreams_20120810." : "DynamoDB_20120810.")
      .append(operation);
}

}  // namespace

bool IsOperationName(std::string_view operation) {
  return !operation.empty() && operation.size() <= kOperationBytesMax &&
         std::ranges::all_of(operation, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

SignedRequests::SignedRequests(std::string host, SigningCredentials credentials, std::string region)
    : host_(std::move(host)),
      credentials_(std::move(credentials)),
      key_(credentials_.secret_access_key, std::move(region), "dynamodb") {}

std::string SignedRequests::Make(std::string_view operation, std::string_view body,
                                 std::time_t now) const {
  const std::string date = AmzDate(now);
  const std::string target = TargetOf(operation);
  const std::string& token = credentials_.session_token;
  std::vector<HeaderField> headers = {
      {"content-type", kContentType}, {"host", host_}, {"x-amz-date", date}};
  if (!token.empty()) headers.push_back({"x-amz-security-token", token});
  headers.push_back({"x-amz-target", target});

  std::string out = "POST / HTTP/1.1\r\n";
  for (const HeaderField& header : headers) {
    out.append(header.name).append(": ").append(header.value).append("\r\n");
  }
  out.append("authorization: ");
  const DayKey::Derived day = key_.On(std::string_view(date).substr(0, kScopeDateLength));
  out.append(
      Authorization({.method = "POST", .path = "/", .query = "", .headers = headers, .body = body},
                    credentials_.access_key_id, day.key, day.scope, date));
  out.append("\r\nuser-agent: stator-client\r\ncontent-length: ");
  out.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
  return out;
}

}  // namespace stator
