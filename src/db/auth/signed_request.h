// A request that was received, what it says about its signature, and the form of it that was signed.
//
// The signature stands in the Authorization header
//
//   AWS4-HMAC-SHA256 Credential=…, SignedHeaders=…, Signature=…
//
// and the headers X-Amz-Date or Date, or in the query string (a presigned URL):
//
//   X-Amz-Algorithm=…&X-Amz-Credential=…&X-Amz-Date=…&X-Amz-SignedHeaders=…&X-Amz-Signature=…
#ifndef STATOR_AUTH_SIGNED_REQUEST_H_
#define STATOR_AUTH_SIGNED_REQUEST_H_

#include <forward_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/inline_vector.h"
#include "http/headers.h"
#include "stator/result.h"

namespace stator {

// A request as it was signed. All views belong to the caller.
struct SignedRequest {
  std::string_view method;
  std::string_view path;
  std::string_view query;  // without the question mark
  std::span<const http::HeaderField> headers;
  std::string_view body;
};

// The query string as it is signed: every parameter but `left_out`, encoded in the one way that RFC
// 3986 prefers and in ascending order. A percent sign that begins no byte in hex stands for itself, as
// does a plus sign.
std::string CanonicalQuery(std::string_view query, std::string_view left_out);

// What a request says about its signature; nothing is checked beyond that each part exists. The views
// belong to the request or to `decoded`.
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

// The request in the form in which its sender has signed it. The request and the parts must outlive it.
class CanonicalRequest {
 public:
  // nullopt: it has no such form, because a header that is said to be signed is missing or the list of
  // these headers is not in ascending order. The path is taken as it is: the paths that Stator answers
  // need no encoding.
  static std::optional<CanonicalRequest> Of(const SignedRequest& request,
                                            const SignatureParts& parts);

  // As Signature() wants it. Valid as long as this lives and is not moved.
  SignedRequest view() const;

 private:
  bool AddHeader(const SignedRequest& request, std::string_view name);
  std::string_view Keep(std::string text) { return kept_.emplace_front(std::move(text)); }

  SignedRequest request_;
  std::string query_;
  InlineVector<http::HeaderField, 12> headers_;
  std::forward_list<std::string> kept_;  // the few texts that differ from what was sent
};

}  // namespace stator

#endif  // STATOR_AUTH_SIGNED_REQUEST_H_
