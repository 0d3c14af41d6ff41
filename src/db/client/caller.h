// One operation as JSON: signed, sent, checked, and sent again while that may help.
#ifndef STATOR_CLIENT_CALLER_H_
#define STATOR_CLIENT_CALLER_H_

#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "client/backoff.h"
#include "client/signed_requests.h"
#include "client/transport.h"
#include "stator/result.h"

namespace stator {

// True for errors that another attempt may not meet: those of the server and of its load.
// TransactionCanceled is not among them, whatever its reasons: what to do about it is the caller's.
bool IsWorthRetrying(const Error& error);

// Thread-safe.
class Caller {
 public:
  struct Parts {
    std::unique_ptr<Transport> transport;
    std::unique_ptr<SignedRequests> requests;
    std::unique_ptr<Clock> clock;
    Backoff::Means means;
    int max_attempts = 1;
  };
  explicit Caller(Parts parts) : parts_(std::move(parts)) {}

  // The body of the answer.
  Result<std::string> Call(std::string_view operation, std::string_view json);

 private:
  struct Attempt {
    Result<std::string> answer;
    bool is_final = true;
  };
  Attempt TryOnce(std::string_view operation, std::string_view json);

  Parts parts_;
};

}  // namespace stator

#endif  // STATOR_CLIENT_CALLER_H_
