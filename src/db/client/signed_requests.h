// Requests as the bytes that go to the server, signed.
#ifndef STATOR_CLIENT_SIGNED_REQUESTS_H_
#define STATOR_CLIENT_SIGNED_REQUESTS_H_

#include <ctime>
#include <string>
#include <string_view>

#include "auth/day_key.h"
#include "auth/sigv4.h"

namespace stator {

// Thread-safe.
class SignedRequests {
 public:
  // `host` is the value of the Host header.
  SignedRequests(std::string host, SigningCredentials credentials, std::string region);

  // REQUIRES: the operation is a name (IsOperationName).
  std::string Make(std::string_view operation, std::string_view body, std::time_t now) const;

 private:
  const std::string host_;
  const SigningCredentials credentials_;
  const DayKey key_;
};

// Letters and digits: what can stand in a header.
bool IsOperationName(std::string_view operation);

}  // namespace stator

#endif  // STATOR_CLIENT_SIGNED_REQUESTS_H_
