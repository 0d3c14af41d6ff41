// A request that was received, in the form in which its sender has signed it.
#ifndef STATOR_AUTH_CANONICAL_REQUEST_H_
#define STATOR_AUTH_CANONICAL_REQUEST_H_

#include <forward_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "auth/authenticator.h"
#include "auth/signature_parts.h"
#include "base/inline_vector.h"

namespace stator {

// The request and the parts must outlive it.
class CanonicalRequest {
 public:
  // nullopt: there is none, because a header that is said to be signed is not there or the list of
  // these headers is not in ascending order. The path is taken as it is: what Stator answers has
  // one that needs no encoding.
  static std::optional<CanonicalRequest> Of(const SignedRequest& request,
                                            const SignatureParts& parts);

  // As Signature() wants it. Valid as long as this lives and is not moved.
  SignedRequest view() const;

 private:
  bool AddHeader(const SignedRequest& request, std::string_view name);
  std::string_view Keep(std::string text) { return kept_.emplace_front(std::move(text)); }

  SignedRequest request_;
  std::string query_;
  InlineVector<HeaderField, 12> headers_;
  std::forward_list<std::string> kept_;  // the few texts that differ from what was sent
};

}  // namespace stator

#endif  // STATOR_AUTH_CANONICAL_REQUEST_H_
