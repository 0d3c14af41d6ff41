// The seam for request signatures: whoever answers requests asks an Authenticator first.
#ifndef STATOR_AUTH_AUTHENTICATOR_H_
#define STATOR_AUTH_AUTHENTICATOR_H_

#include <span>
#include <string_view>

#include "stator/result.h"

namespace stator {

struct HeaderField {
  std::string_view name;  // as sent; names compare without regard to case
  std::string_view value;
};

// A request as it was signed. All views belong to the caller.
struct SignedRequest {
  std::string_view method;
  std::string_view path;
  std::string_view query;  // without the question mark
  std::span<const HeaderField> headers;
  std::string_view body;
};

// Thread-safe.
class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // The error is what DynamoDB answers to such a request.
  virtual Result<void> Check(const SignedRequest& request) const = 0;
};

}  // namespace stator

#endif  // STATOR_AUTH_AUTHENTICATOR_H_
