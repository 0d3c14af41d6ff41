#include "client/caller.h"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>

#include "client/wire_error.h"

namespace stator {
namespace {

constexpr int kStatusOk = 200;
constexpr std::array<std::string_view, 9> kPassingErrors = {
    "RequestLimitExceeded", "RequestThrottled",        "RequestThrottledException",
    "RequestTimeout",       "RequestTimeoutException", "ServiceUnavailable",
    "Throttling",           "ThrottledException",      "TooManyRequestsException"};

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

bool IsWorthRetrying(const Error& error) {
  switch (error.code()) {
    case ErrorCode::kInternalFailure:
    case ErrorCode::kInternalServerError:
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

Result<std::string> Caller::Call(std::string_view operation, std::string_view json) {
  if (!IsOperationName(operation)) return std::unexpected(Error::UnknownOperation());
  const Backoff backoff(parts_.means);
  for (int failures = 1;; ++failures) {
    Attempt attempt = TryOnce(operation, json);
    if (attempt.is_final || failures >= parts_.max_attempts) return std::move(attempt.answer);
    backoff.Wait(failures);
  }
}

Caller::Attempt Caller::TryOnce(std::string_view operation, std::string_view json) {
  // A signature is good for minutes only, so every attempt has its own.
  const std::string request = parts_.requests->Make(
      operation, json, std::chrono::system_clock::to_time_t(parts_.clock->Now()));
  std::expected<http::Response, TransportFailure> response = parts_.transport->Exchange(request);
  if (!response) {
    return {.answer = std::unexpected(Error::NoAnswer(response.error().message)),
            .is_final = !response.error().is_retryable};
  }
  if (!HasItsChecksum(*response)) {
    return {.answer = std::unexpected(Error::NoAnswer("the answer does not fit its checksum")),
            .is_final = false};
  }
  if (response->status == kStatusOk) return {.answer = std::move(response->body)};
  Error error = ErrorFromAnswer(response->status, response->body);
  const bool is_final = response->status < 500 && !IsWorthRetrying(error);
  return {.answer = std::unexpected(std::move(error)), .is_final = is_final};
}

}  // namespace stator
