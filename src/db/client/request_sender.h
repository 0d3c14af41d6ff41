// One operation as JSON: signed, sent, its answer checked, and sent again while that may help.
#ifndef STATOR_CLIENT_REQUEST_SENDER_H_
#define STATOR_CLIENT_REQUEST_SENDER_H_

#include <chrono>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "auth/sigv4.h"
#include "base/clock.h"
#include "http/transport.h"
#include "stator/result.h"

namespace stator {

// How long to wait before the next attempt: a random time whose bound doubles with each failure
// ("full jitter"), so that clients that failed together do not come back together.
class Backoff {
 public:
  using Milliseconds = std::chrono::milliseconds;
  // The bound of the first wait, as AWS's SDKs have it for DynamoDB, and of the longest.
  static constexpr Milliseconds kFirst{25};
  static constexpr Milliseconds kLongest{5'000};

  // Tests replace the system's.
  struct Means {
    std::function<void(Milliseconds)> sleep;
    std::function<std::uint64_t(std::uint64_t bound)> random;  // 0 … bound
  };
  static Means OfSystem();

  explicit Backoff(const Means& means) : means_(means) {}
  // `failures` is the number of attempts that have failed in a row, at least 1.
  void Wait(int failures) const;

 private:
  const Means& means_;
};

// Makes signed requests. Thread-safe.
class SignedRequests {
 public:
  // `host` is the value of the Host header.
  SignedRequests(std::string host, SigningCredentials credentials, std::string region);

  // The body must outlive the request. REQUIRES: the operation is letters and digits.
  http::Request Make(std::string_view operation, std::string_view body, std::time_t now) const;

 private:
  const std::string host_;
  const SigningCredentials credentials_;
  const DayKey key_;
};

// True for errors that another attempt may not meet: those of the server and of its load.
// TransactionCanceled is not among them, whatever its reasons: the caller decides what to do then.
bool IsWorthRetrying(const Error& error);

// Thread-safe.
class RequestSender {
 public:
  struct Parts {
    std::unique_ptr<http::Transport> transport;
    std::unique_ptr<SignedRequests> requests;
    std::unique_ptr<Clock> clock;
    Backoff::Means means;
    int max_attempts = 1;
  };
  explicit RequestSender(Parts parts) : parts_(std::move(parts)) {}

  // The body of the answer.
  Result<std::string> Send(std::string_view operation, std::string_view json);

 private:
  struct Attempt {
    Result<std::string> answer;
    bool is_final = true;
  };
  Attempt TryOnce(std::string_view operation, std::string_view json);

  Parts parts_;
};

}  // namespace stator

#endif  // STATOR_CLIENT_REQUEST_SENDER_H_
