// Who may use a server: it asks an Authenticator about every request.
#ifndef STATOR_AUTH_AUTHENTICATOR_H_
#define STATOR_AUTH_AUTHENTICATOR_H_

#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "auth/signed_request.h"
#include "auth/sigv4.h"
#include "base/wording.h"
#include "stator/clock.h"
#include "stator/result.h"

namespace stator {

// Thread-safe.
class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // The error is what DynamoDB answers to such a request.
  virtual Result<void> Check(const SignedRequest& request) const = 0;
  // What can be said before the body is there; request.body is not looked at. If this fails, so does Check.
  virtual Result<void> CheckHead(const SignedRequest& request) const = 0;
};

// For a server that only its own machine can reach: demands a signature of the right shape, in the
// header or the query string, and believes it.
class AcceptAny final : public Authenticator {
 public:
  Result<void> Check(const SignedRequest& request) const override;
  Result<void> CheckHead(const SignedRequest& request) const override;
};

// For such a server too: demands nothing.
class AcceptUnsigned final : public Authenticator {
 public:
  Result<void> Check(const SignedRequest& request) const override;
  Result<void> CheckHead(const SignedRequest& request) const override;
};

// For a server that knows its clients: demands a signature by one of the given credentials over the
// request as it has arrived, and over every header that decides what the request does.
class VerifySignature final : public Authenticator {
 public:
  struct Options {
    std::string region;  // that signatures must be for
    Wording wording = Wording::kCurrent;
  };
  // REQUIRES: no access key occurs twice. The clock must outlive this; it shows the time of the clients,
  // which may differ from the time of the tables.
  VerifySignature(std::vector<SigningCredentials> credentials, Options options, const Clock& clock);

  Result<void> Check(const SignedRequest& request) const override;
  Result<void> CheckHead(const SignedRequest& request) const override;

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

  // A signature whose parts are right, and what it must be compared with.
  struct Claim {
    SignatureParts parts;
    Time time;
    ScopedKey key;
  };

  Result<Claim> CheckClaim(const SignedRequest& request) const;
  static Result<Time> ReadTime(const SignatureParts& parts);
  Result<void> CheckAge(const SignatureParts& parts, const Time& time) const;
  static Result<Credential> ReadCredential(const SignatureParts& parts);
  Result<void> CheckScope(const Credential& credential, const Time& time) const;
  Result<const Known*> FindKnown(const Credential& credential, const SignatureParts& parts) const;
  static bool IsRight(const SignedRequest& request, const Claim& claim, std::string_view body_hash);

  const Options options_;
  const Clock& clock_;
  std::map<std::string, Known, std::less<>> known_;  // by access key
};

}  // namespace stator

#endif  // STATOR_AUTH_AUTHENTICATOR_H_
