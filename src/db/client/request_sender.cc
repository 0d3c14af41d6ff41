#include "client/request_sender.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <random>
#include <thread>
#include <utility>
#include <vector>

#include "client/wire_error.h"
#include "http/headers.h"

namespace stator {
namespace {

constexpr int kStatusOk = 200;
constexpr int kStatusServerErrors = 500;
constexpr std::size_t kOperationBytesMax = 128;
// Errors without a code of their own that another attempt may not meet.
constexpr std::array<std::string_view, 8> kPassingErrors = {
    "RequestThrottled",        "RequestThrottledException", "RequestTimeout",
    "RequestTimeoutException", "ServiceUnavailable",        "Throttling",
    "ThrottledException",      "TooManyRequestsException"};

// Nothing else can stand in a header without being able to end it.
bool IsOperationName(std::string_view operation) {
  return !operation.empty() && operation.size() <= kOperationBytesMax &&
         std::ranges::all_of(operation, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
         });
}

// False if the answer has a checksum that is not its body's.
bool HasItsChecksum(const http::Response& response) {
  const std::optional<std::string_view> header = response.Header("x-amz-crc32");
  if (!header) return true;
  std::uint32_t expected = 0;
  const auto [end, error] =
      std::from_chars(header->data(), header->data() + header->size(), expected);
  return error == std::errc() && end == header->data() + header->size() &&
         libdeflate_crc32(0, response.body.data(), response.body.size()) == expected;
}

}  // namespace

Backoff::Means Backoff::OfSystem() {
  return {.sleep = [](Milliseconds time) { std::this_thread::sleep_for(time); },
          .random =
              [](std::uint64_t bound) {
                thread_local std::minstd_rand generator(std::random_device{}());
                return std::uniform_int_distribution<std::uint64_t>(0, bound)(generator);
              }};
}

void Backoff::Wait(int failures) const {
  // Far enough for kLongest, and no shift beyond a word.
  const int doublings = std::clamp(failures - 1, 0, 16);
  const Milliseconds bound = std::min(kLongest, kFirst * (1 << doublings));
  means_.sleep(Milliseconds(means_.random(static_cast<std::uint64_t>(bound.count()))));
}

SignedRequests::SignedRequests(std::string host, SigningCredentials credentials, std::string region)
    : host_(std::move(host)),
      credentials_(std::move(credentials)),
      key_(credentials_.secret_access_key, std::move(region), "dynamodb") {}

http::Request SignedRequests::Make(std::string_view operation, std::string_view body,
                                   std::time_t now) const {
  const std::string date = AmzDate(now);
  const std::string target = http::TargetOfOperation(operation);
  const std::string& token = credentials_.session_token;
  std::vector<http::HeaderField> headers = {
      {"content-type", "application/x-amz-json-1.0"}, {"host", host_}, {"x-amz-date", date}};
  if (!token.empty()) headers.push_back({"x-amz-security-token", token});
  headers.push_back({"x-amz-target", target});

  http::Request request{.body = body};
  request.headers.reserve(headers.size() + 2);
  for (const http::HeaderField& header : headers) {
    request.headers.emplace_back(header.name).append(": ").append(header.value);
  }
  const ScopedKey key = key_.On(std::string_view(date).substr(0, kScopeDateLength));
  request.headers.push_back(
      "authorization: " +
      Authorization({.method = "POST", .path = "/", .query = "", .headers = headers, .body = body},
                    credentials_.access_key_id, key, date));
  request.headers.emplace_back("user-agent: stator-client");
  return request;
}

bool IsWorthRetrying(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kInternalFailure:
    case ErrorCode::kInternalServerError:
    case ErrorCode::kRequestLimitExceeded:
    case ErrorCode::kThrottling:
    case ErrorCode::kProvisionedThroughputExceeded:
    case ErrorCode::kTransactionInProgress:
      return true;
    case ErrorCode::kOther:
      return std::ranges::find(kPassingErrors, error.name()) != kPassingErrors.end();
    default:
      return false;
  }
}

Result<std::string> RequestSender::Send(std::string_view operation, std::string_view json) {
  if (!IsOperationName(operation)) return std::unexpected(Error::UnknownOperation());
  const Backoff backoff(parts_.means);
  for (int failures = 1;; ++failures) {
    Attempt attempt = TryOnce(operation, json);
    if (attempt.is_final || failures >= parts_.max_attempts) return std::move(attempt.answer);
    backoff.Wait(failures);
  }
}

RequestSender::Attempt RequestSender::TryOnce(std::string_view operation, std::string_view json) {
  // A signature is good for minutes only, so every attempt has its own.
  const http::Request request = parts_.requests->Make(
      operation, json, std::chrono::system_clock::to_time_t(parts_.clock->Now()));
  std::expected<http::Response, http::TransportFailure> response =
      parts_.transport->Exchange(request);
  if (!response) {
    return {.answer = std::unexpected(Error::NoAnswer(response.error().message)),
            .is_final = !response.error().is_retryable};
  }
  if (!HasItsChecksum(*response)) {
    return {.answer = std::unexpected(Error::NoAnswer("the answer does not match its checksum")),
            .is_final = false};
  }
  if (response->status == kStatusOk) return {.answer = std::move(response->body)};
  Error error = ErrorFromAnswer(response->status, response->body);
  const bool is_final = response->status < kStatusServerErrors && !IsWorthRetrying(error);
  return {.answer = std::unexpected(std::move(error)), .is_final = is_final};
}

}  // namespace stator
