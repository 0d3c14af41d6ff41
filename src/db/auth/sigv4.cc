#include "auth/sigv4.h"

#include <array>
#include <span>
#include <utility>

namespace stator {
namespace {

// More than the canonical form of what an SDK sends, apart from a session token.
constexpr std::size_t kUsualBytes = 768;

void AppendScope(std::string& out, const SigningScope& scope) {
  out.append(scope.date).append("/").append(scope.region).append("/").append(scope.service);
  out.append("/").append(kScopeTerminator);
}

void AppendNames(std::string& out, std::span<const HeaderField> headers) {
  for (const HeaderField& header : headers) {
    if (&header != headers.data()) out.push_back(';');
    out.append(header.name);
  }
}

std::string CanonicalRequest(const SignedRequest& request, std::string_view body_hash) {
  std::string text;
  text.reserve(kUsualBytes);
  for (const std::string_view part : {request.method, request.path, request.query}) {
    text.append(part).push_back('\n');
  }
  for (const HeaderField& header : request.headers) {
    text.append(header.name).append(":").append(header.value).push_back('\n');
  }
  text.push_back('\n');
  AppendNames(text, request.headers);
  text.push_back('\n');
  text.append(body_hash);
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
  Sha256Digest key = HmacSha256({bytes, start.size()}, scope.date);
  key = HmacSha256(key, scope.region);
  key = HmacSha256(key, scope.service);
  return HmacSha256(key, kScopeTerminator);
}

std::string Signature(const SignedRequest& request, const Sha256Digest& signing_key,
                      const SigningScope& scope, std::string_view amz_date) {
  return SignatureOverHash(request, Hex(Sha256(request.body)), signing_key, scope, amz_date);
}

std::string SignatureOverHash(const SignedRequest& request, std::string_view body_hash,
                              const Sha256Digest& signing_key, const SigningScope& scope,
                              std::string_view amz_date) {
  std::string text;
  text.reserve(kUsualBytes);
  text.append(kSigningAlgorithm).append("\n").append(amz_date).append("\n");
  AppendScope(text, scope);
  text.push_back('\n');
  AppendHex(text, Sha256(CanonicalRequest(request, body_hash)));
  return Hex(HmacSha256(signing_key, text));
}

std::string Authorization(const SignedRequest& request, std::string_view access_key_id,
                          const Sha256Digest& signing_key, const SigningScope& scope,
                          std::string_view amz_date) {
  std::string header(kSigningAlgorithm);
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
  const std::string_view date = amz_date.substr(0, kScopeDateLength);
  if (date != scope_.date) {
    scope_.date = date;
    signing_key_ = SigningKey(credentials_.secret_access_key, scope_);
  }
  return stator::Authorization(request, credentials_.access_key_id, signing_key_, scope_, amz_date);
}

}  // namespace stator
