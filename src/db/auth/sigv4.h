// AWS Signature Version 4: signing.
//
// A signature is HMAC-SHA256(signing key, string to sign), in hex, where
//
//   signing key    := HMAC(HMAC(HMAC(HMAC("AWS4" secret, date), region), service), "aws4_request")
//   string to sign := "AWS4-HMAC-SHA256" LF time LF scope LF hex(SHA256(canonical request))
//   scope          := date "/" region "/" service "/aws4_request"
//   canonical request := method LF path LF query LF (name ":" value LF)* LF names LF
//                        hex(SHA256(body))
//   names          := the signed headers' names, joined with ";"
#ifndef STATOR_AUTH_SIGV4_H_
#define STATOR_AUTH_SIGV4_H_

#include <ctime>
#include <string>
#include <string_view>

#include "auth/authenticator.h"
#include "auth/sha256.h"

namespace stator {

struct SigningCredentials {
  std::string access_key_id;
  std::string secret_access_key;
  std::string session_token;  // empty: none
};

struct SigningScope {
  std::string date;  // "20150830"
  std::string region;
  std::string service;
};

inline constexpr std::string_view kSigningAlgorithm = "AWS4-HMAC-SHA256";
inline constexpr std::string_view kScopeTerminator = "aws4_request";
inline constexpr std::size_t kScopeDateLength = sizeof("20150830") - 1;

// "20150830T123600Z"
std::string AmzDate(std::time_t time);

Sha256Digest SigningKey(std::string_view secret_access_key, const SigningScope& scope);

// The signature in hex. REQUIRES: the request's path and query are in canonical form, and its
// headers are those to be signed, with lower-case names in ascending order and trimmed values.
std::string Signature(const SignedRequest& request, const Sha256Digest& signing_key,
                      const SigningScope& scope, std::string_view amz_date);

// The same for a body that is known by its hash, hex(SHA256(body)); request.body is not looked at.
std::string SignatureOverHash(const SignedRequest& request, std::string_view body_hash,
                              const Sha256Digest& signing_key, const SigningScope& scope,
                              std::string_view amz_date);

// The value of the Authorization header. REQUIRES: as Signature does; one of the headers is
// x-amz-date with `amz_date`.
std::string Authorization(const SignedRequest& request, std::string_view access_key_id,
                          const Sha256Digest& signing_key, const SigningScope& scope,
                          std::string_view amz_date);

// Signs many requests of one client: the signing key is derived once a day. Not thread-safe.
class RequestSigner {
 public:
  RequestSigner(SigningCredentials credentials, std::string region, std::string service);

  const SigningCredentials& credentials() const { return credentials_; }

  // As the function of that name.
  std::string Authorization(const SignedRequest& request, std::string_view amz_date);

 private:
  SigningCredentials credentials_;
  SigningScope scope_;
  Sha256Digest signing_key_{};
};

}  // namespace stator

#endif  // STATOR_AUTH_SIGV4_H_
