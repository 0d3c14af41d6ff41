// Authenticators for a server that only its own machine can reach.
#ifndef STATOR_AUTH_ACCEPT_ANY_H_
#define STATOR_AUTH_ACCEPT_ANY_H_

#include "auth/authenticator.h"

namespace stator {

// Demands a signature of the right shape, in the header or the query string, and believes it.
class AcceptAny final : public Authenticator {
 public:
  Result<void> Check(const SignedRequest& request) const override;
};

// Demands nothing.
class AcceptUnsigned final : public Authenticator {
 public:
  Result<void> Check(const SignedRequest& request) const override;
};

}  // namespace stator

#endif  // STATOR_AUTH_ACCEPT_ANY_H_
