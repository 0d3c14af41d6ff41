#include "auth/sigv4.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <span>
#include <utility>

#include "base/check.h"

namespace stator {
namespace {

constexpr std::string_view kAlgorithm = "AWS4-HMAC-SHA256";
constexpr std::string_view kTerminator = "aws4_request";
constexpr std::size_t kDateLength = 8;

Sha256Digest Sha256(std::string_view text) {
  Sha256Digest digest{};
  STATOR_CHECK(
      EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha256(), nullptr) == 1);
  return digest;
}

Sha256Digest Hmac(std::span<const std::uint8_t> key, std::string_view text) {
  Sha256Digest digest{};
  const auto* result = HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
                            reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                            digest.data(), nullptr);
  STATOR_CHECK(result != nullptr);
  return digest;
}

void AppendHex(std::string& out, const Sha256Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (const std::uint8_t byte : digest) {
    out.push_back(kDigits[byte >> 4]);
    out.push_back(kDigits[byte & 15]);
  }
}

void AppendScope(std::string& out, const SigningScope& scope) {
  out.append(scope.date).append("/").append(scope.region).append("/").append(scope.service);
  out.append("/").append(kTerminator);
}

void AppendNames(std::string& out, std::span<const HeaderField> headers) {
  for (const HeaderField& header : headers) {
    if (&header != headers.data()) out.push_back(';');
    out.append(header.name);
  }
}

std::string CanonicalRequest(const SignedRequest& request) {
  std::string text;
  for (const std::string_view part : {request.method, request.path, request.query}) {
    text.append(part).push_back('\n');
  }
  for (const HeaderField& header : request.headers) {
    text.append(header.name).append(":").append(header.value).push_back('\n');
  }
  text.push_back('\n');
  AppendNames(text, request.headers);
  text.push_back('\n');
  AppendHex(text, Sha256(request.body));
  return text;
}

}  // namespace

std::string AmzDate(std::time_t time) {
  std::tm utc{};
  gmtime_r(&time, &utc);
  std::array<char, sizeof("20150830T123600Z")> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), "%Y%m%dT%H%M%SZ", &utc);
  return {text.data(), length};
}

Sha256Digest SigningKey(std::string_view secret_access_key, const SigningScope& scope) {
  const std::string start = "AWS4" + std::string(secret_access_key);
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(start.data());
  Sha256Digest key = Hmac({bytes, start.size()}, scope.date);
  key = Hmac(key, scope.region);
  key = Hmac(key, scope.service);
  return Hmac(key, kTerminator);
}

std::string Signature(const SignedRequest& request, const Sha256Digest& signing_key,
                      const SigningScope& scope, std::string_view amz_date) {
  std::string text;
  text.append(kAlgorithm).append("\n").append(amz_date).append("\n");
  AppendScope(text, scope);
  text.push_back('\n');
  AppendHex(text, Sha256(CanonicalRequest(request)));
  std::string signature;
  AppendHex(signature, Hmac(signing_key, text));
  return signature;
}

std::string Authorization(const SignedRequest& request, std::string_view access_key_id,
                          const Sha256Digest& signing_key, const SigningScope& scope,
                          std::string_view amz_date) {
  std::string header(kAlgorithm);
  header.append(" Credential=").append(access_key_id).append("/");
  AppendScope(header, scope);
  header.append(", SignedHeaders=");
  AppendNames(header, request.headers);
  header.append(", Signature=");
  header.append(Signature(request, signing_key, scope, amz_date));
  return header;
}

RequestSigner::RequestSigner(SigningCredentials credentials, std::string region,
                             std::string service)
    : credentials_(std::move(credentials)),
      scope_{.date = "", .region = std::move(region), .service = std::move(service)} {}

std::string RequestSigner::Authorization(const SignedRequest& request, std::string_view amz_date) {
  const std::string_view date = amz_date.substr(0, kDateLength);
  if (date != scope_.date) {
    scope_.date = date;
    signing_key_ = SigningKey(credentials_.secret_access_key, scope_);
  }
  return stator::Authorization(request, credentials_.access_key_id, signing_key_, scope_, amz_date);
}

}  // namespace stator
