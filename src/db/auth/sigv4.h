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

#include <array>
#include <chrono>
#include <cstdint>
#include <ctime>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "auth/signed_request.h"

namespace stator {

// Both hashes use contexts that each thread keeps.
using Sha256Digest = std::array<std::uint8_t, 32>;
Sha256Digest Sha256(std::string_view text);
Sha256Digest HmacSha256(std::span<const std::uint8_t> key, std::string_view text);

// In lower case.
void AppendHex(std::string& out, const Sha256Digest& digest);
std::string Hex(const Sha256Digest& digest);

// Takes as long for equal texts as for others of their length.
bool EqualInConstantTime(std::string_view a, std::string_view b);

// The times that requests are signed with: "20150830T123600Z", and "Sun, 30 Aug 2015 12:36:00 GMT"
// as the Date header has it. The day of the week is not checked.
std::string AmzDate(std::time_t time);
std::optional<std::chrono::sys_seconds> ParseAmzDate(std::string_view text);
std::optional<std::chrono::sys_seconds> ParseHttpDate(std::string_view text);

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

Sha256Digest SigningKey(std::string_view secret_access_key, const SigningScope& scope);

// A signing key and the day, region and service that it is for.
struct ScopedKey {
  SigningScope scope;
  Sha256Digest key{};

  // Derives the key if it is another day's. `date` as in SigningScope.
  void MoveTo(std::string_view date, std::string_view secret_access_key);
};

// The signature in hex. REQUIRES: the request's path and query are in canonical form, and its
// headers are those to be signed, with lower-case names in ascending order and trimmed values.
std::string Signature(const SignedRequest& request, const ScopedKey& key,
                      std::string_view amz_date);

// The same for a body that is known by its hash, hex(SHA256(body)); request.body is not looked at.
std::string SignatureOverHash(const SignedRequest& request, std::string_view body_hash,
                              const ScopedKey& key, std::string_view amz_date);

// The value of the Authorization header. REQUIRES: as Signature does; one of the headers is
// x-amz-date with `amz_date`.
std::string Authorization(const SignedRequest& request, std::string_view access_key_id,
                          const ScopedKey& key, std::string_view amz_date);

// Derives the key of one secret in one region once per day. Thread-safe.
class DayKey {
 public:
  DayKey(std::string secret_access_key, std::string region, std::string service);

  // `date` as in SigningScope.
  ScopedKey On(std::string_view date) const;

 private:
  const std::string secret_access_key_;
  mutable std::mutex mutex_;
  mutable ScopedKey latest_;
};

// Signs many requests of one client, and derives the key once per day. Not thread-safe.
class RequestSigner {
 public:
  RequestSigner(SigningCredentials credentials, std::string region, std::string service);

  const SigningCredentials& credentials() const { return credentials_; }

  // As the function of that name.
  std::string Authorization(const SignedRequest& request, std::string_view amz_date);

 private:
  SigningCredentials credentials_;
  ScopedKey key_;
};

}  // namespace stator

#endif  // STATOR_AUTH_SIGV4_H_
