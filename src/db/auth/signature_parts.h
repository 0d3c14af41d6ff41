// What a request says about its signature, in the Authorization header
//
//   AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…
//
// and the headers X-Amz-Date or Date, or in the query string (a presigned URL):
//
//   X-Amz-Algorithm=…&X-Amz-Credential=…&X-Amz-Date=…&X-Amz-SignedHeaders=…&X-Amz-Signature=…
#ifndef STATOR_AUTH_SIGNATURE_PARTS_H_
#define STATOR_AUTH_SIGNATURE_PARTS_H_

#include <forward_list>
#include <optional>
#include <string>
#include <string_view>

#include "auth/authenticator.h"

namespace stator {

// Nothing in it has been looked at, beyond its being there. The views belong to the request or to
// `decoded`.
struct SignatureParts {
  bool in_query = false;
  std::string_view algorithm;
  std::string_view credential;
  std::string_view signed_headers;
  std::string_view signature;
  std::string_view date;
  std::optional<std::string_view> expires;  // of the query string
  std::optional<std::string_view> session_token;
  std::forward_list<std::string> decoded;

  SignatureParts() = default;
  SignatureParts(SignatureParts&&) = default;
  SignatureParts& operator=(SignatureParts&&) = default;
};

// Fails if the request has no signature, two of them, or a part of one.
Result<SignatureParts> FindSignature(const SignedRequest& request);

}  // namespace stator

#endif  // STATOR_AUTH_SIGNATURE_PARTS_H_
