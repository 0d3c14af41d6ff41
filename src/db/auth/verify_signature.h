// The Authenticator of a server that knows its clients.
#ifndef STATOR_AUTH_VERIFY_SIGNATURE_H_
#define STATOR_AUTH_VERIFY_SIGNATURE_H_

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "auth/authenticator.h"
#include "auth/day_key.h"
#include "auth/signature_parts.h"
#include "base/wording.h"
#include "stator/clock.h"

namespace stator {

// Demands a signature by one of the given credentials over the request as it has arrived.
class VerifySignature final : public Authenticator {
 public:
  struct Options {
    std::string region;  // the one that signatures are for
    Wording wording = Wording::kCurrent;
  };
  // REQUIRES: every access key is there once. The clock must outlive this; it is to show the time
  // that clients go by, whatever time the tables go by.
  VerifySignature(std::vector<SigningCredentials> credentials, Options options, const Clock& clock);

  Result<void> Check(const SignedRequest& request) const override;

 private:
  struct Known {
    Known(std::string token, std::string secret_access_key, std::string region);

    std::string session_token;  // empty: none
    DayKey key;
  };
  // Of a signature.
  struct Time {
    std::chrono::sys_seconds seconds;
    std::string iso;  // "20150830T123600Z"
  };
  struct Credential {
    std::string_view access_key_id;
    std::string_view date;
    std::string_view region;
    std::string_view service;
    std::string_view terminator;
  };

  static Result<Time> ReadTime(const SignatureParts& parts);
  Result<void> CheckAge(const SignatureParts& parts, const Time& time) const;
  static Result<Credential> ReadCredential(const SignatureParts& parts);
  Result<void> CheckScope(const Credential& credential, const Time& time) const;
  Result<const Known*> FindKnown(const Credential& credential, const SignatureParts& parts) const;
  static bool IsRight(const SignedRequest& request, const SignatureParts& parts, const Time& time,
                      const DayKey::Derived& day);

  const Options options_;
  const Clock& clock_;
  std::map<std::string, Known, std::less<>> known_;  // by access key
};

}  // namespace stator

#endif  // STATOR_AUTH_VERIFY_SIGNATURE_H_
