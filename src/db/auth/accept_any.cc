#include "auth/accept_any.h"

#include "auth/signature_parts.h"
#include "base/try.h"

namespace stator {

Result<void> AcceptAny::Check(const SignedRequest& request) const {
  RETURN_IF_ERROR(FindSignature(request));
  return {};
}

Result<void> AcceptUnsigned::Check(const SignedRequest&) const { return {}; }

}  // namespace stator
