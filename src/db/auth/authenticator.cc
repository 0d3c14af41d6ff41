#include "auth/authenticator.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/try.h"

namespace stator {
namespace {

using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr std::string_view kService = "dynamodb";
constexpr seconds kSkewMax = std::chrono::minutes(15);
// Signature Version 4 has no signatures that live longer.
constexpr seconds kLifetimeMax = std::chrono::days(7);

// The message may quote what was sent.
std::unexpected<Error> Incomplete(std::string_view message) {
  return std::unexpected(Error::IncompleteSignature(http::Utf8OfHeader(message)));
}
std::unexpected<Error> Invalid(std::string_view message) {
  return std::unexpected(Error::InvalidSignature(http::Utf8OfHeader(message)));
}

std::string Iso(sys_seconds time) { return AmzDate(time.time_since_epoch().count()); }

// "15 min."
std::string Span(seconds span) {
  return span.count() % 60 == 0 ? fmt::format("{} min.", span.count() / 60)
                                : fmt::format("{} sec.", span.count());
}

// How long the signature may be used.
Result<seconds> ReadLifetime(const SignatureParts& parts) {
  if (!parts.expires) return kSkewMax;
  const std::string_view text = *parts.expires;
  seconds::rep count = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (problem != std::errc() || end != text.data() + text.size() || count < 1 ||
      count > kLifetimeMax.count()) {
    return Incomplete(
        fmt::format("X-Amz-Expires must be a number of seconds from 1 to {}. Got '{}'.",
                    kLifetimeMax.count(), text));
  }
  return seconds(count);
}

bool IsSigned(const SignatureParts& parts, std::string_view header) {
  std::string_view names = parts.signed_headers;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(';'), names.size());
    if (http::SameHeaderName(names.substr(0, end), header)) return true;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return false;
}

// Otherwise one who has seen a request could send it again as another.
Result<void> CheckSignedHeaders(const SignedRequest& request, const SignatureParts& parts) {
  const auto demand = [&](std::string_view name) -> Result<void> {
    if (IsSigned(parts, name)) return {};
    return Invalid(fmt::format("'{}' must be a 'SignedHeader' in the AWS Authorization.", name));
  };
  RETURN_IF_ERROR(demand("Host"));
  const auto demand_if_sent = [&](std::string_view name) -> Result<void> {
    return http::FindHeader(request.headers, name) ? demand(name) : Result<void>();
  };
  RETURN_IF_ERROR(demand_if_sent("X-Amz-Target"));
  RETURN_IF_ERROR(demand_if_sent("Content-Encoding"));
  if (parts.in_query) return {};  // the others are parameters, all of which are signed
  RETURN_IF_ERROR(demand_if_sent("X-Amz-Date"));
  return demand_if_sent("X-Amz-Security-Token");
}

Result<void> CheckAlgorithm(const SignatureParts& parts) {
  if (parts.algorithm == kSigningAlgorithm) return {};
  return Incomplete(fmt::format(
      "Unsupported AWS 'algorithm': '{}' (only AWS4-HMAC-SHA256 for now). ", parts.algorithm));
}

// X-Amz-Content-SHA256, if it is signed.
std::optional<std::string_view> SignedBodyHash(const SignedRequest& request,
                                               const SignatureParts& parts) {
  const auto hash = http::FindHeader(request.headers, "X-Amz-Content-SHA256");
  return hash && IsSigned(parts, "X-Amz-Content-SHA256") ? hash : std::nullopt;
}

std::unexpected<Error> WrongSignature() {
  return Invalid(
      "The request signature we calculated does not match the signature you provided. Check your "
      "AWS Secret Access Key and signing method. Consult the service documentation for details.");
}

// DynamoDB's message for a token that came with a key that has none lacks the full stop.
Error NoTokenExpected() {
  return Error::FromWire({.name = ErrorName(ErrorCode::kUnrecognizedClient),
                          .message = "The security token included in the request is invalid",
                          .item = {},
                          .reasons = {}});
}

}  // namespace

Result<void> AcceptAny::Check(const SignedRequest& request) const {
  RETURN_IF_ERROR(FindSignature(request));
  return {};
}

Result<void> AcceptAny::CheckHead(const SignedRequest& request) const { return Check(request); }

Result<void> AcceptUnsigned::Check(const SignedRequest&) const { return {}; }

Result<void> AcceptUnsigned::CheckHead(const SignedRequest&) const { return {}; }

VerifySignature::VerifySignature(std::vector<SigningCredentials> credentials, Options options,
                                 const Clock& clock)
    : options_(std::move(options)), clock_(clock) {
  for (SigningCredentials& one : credentials) {
    known_.try_emplace(std::move(one.access_key_id), std::move(one.session_token),
                       std::move(one.secret_access_key), options_.region);
  }
}

VerifySignature::Known::Known(std::string token, std::string secret_access_key, std::string region)
    : session_token(std::move(token)),
      key(std::move(secret_access_key), std::move(region), std::string(kService)) {}

Result<void> VerifySignature::Check(const SignedRequest& request) const {
  ASSIGN_OR_RETURN(const Claim claim, CheckClaim(request));
  const std::string body_hash = Hex(Sha256(request.body));
  // A signed hash must be the hash of what arrived: unsigned bodies are not accepted.
  const auto claimed_hash = SignedBodyHash(request, claim.parts);
  if (claimed_hash && *claimed_hash != body_hash) return WrongSignature();
  return IsRight(request, claim, body_hash) ? Result<void>() : WrongSignature();
}

Result<void> VerifySignature::CheckHead(const SignedRequest& request) const {
  ASSIGN_OR_RETURN(const Claim claim, CheckClaim(request));
  const auto claimed_hash = SignedBodyHash(request, claim.parts);
  if (claimed_hash && !IsRight(request, claim, *claimed_hash)) return WrongSignature();
  return {};
}

// In DynamoDB's order.
Result<VerifySignature::Claim> VerifySignature::CheckClaim(const SignedRequest& request) const {
  ASSIGN_OR_RETURN(SignatureParts parts, FindSignature(request));
  ASSIGN_OR_RETURN(Time time, ReadTime(parts));
  RETURN_IF_ERROR(CheckAge(parts, time));
  RETURN_IF_ERROR(CheckSignedHeaders(request, parts));
  RETURN_IF_ERROR(CheckAlgorithm(parts));
  ASSIGN_OR_RETURN(const Credential credential, ReadCredential(parts));
  RETURN_IF_ERROR(CheckScope(credential, time));
  ASSIGN_OR_RETURN(const Known* known, FindKnown(credential, parts));
  return Claim{std::move(parts), std::move(time), known->key.On(credential.date)};
}

Result<VerifySignature::Time> VerifySignature::ReadTime(const SignatureParts& parts) {
  if (const auto time = ParseAmzDate(parts.date)) return Time{*time, std::string(parts.date)};
  if (const auto time = ParseHttpDate(parts.date); time && !parts.in_query) {
    return Time{*time, Iso(*time)};
  }
  return Incomplete(
      fmt::format("Date must be in ISO-8601 'basic format'. Got '{}'. See "
                  "http://en.wikipedia.org/wiki/ISO_8601",
                  parts.date));
}

Result<void> VerifySignature::CheckAge(const SignatureParts& parts, const Time& time) const {
  ASSIGN_OR_RETURN(const seconds lifetime, ReadLifetime(parts));
  const auto now = std::chrono::floor<seconds>(clock_.Now());
  if (time.seconds < now - lifetime) {
    return Invalid(fmt::format("Signature expired: {} is now earlier than {} ({} - {})", time.iso,
                               Iso(now - lifetime), Iso(now), Span(lifetime)));
  }
  if (time.seconds > now + kSkewMax) {
    return Invalid(fmt::format("Signature not yet current: {} is still later than {} ({} + {})",
                               time.iso, Iso(now + kSkewMax), Iso(now), Span(kSkewMax)));
  }
  return {};
}

Result<VerifySignature::Credential> VerifySignature::ReadCredential(const SignatureParts& parts) {
  std::string_view rest = parts.credential;
  std::array<std::string_view, 5> elements;
  if (std::ranges::count(rest, '/') != elements.size() - 1) {
    return Incomplete(
        fmt::format("Credential must have exactly 5 slash-delimited elements, e.g. "
                    "keyid/date/region/service/term, got '{}'",
                    parts.credential));
  }
  for (std::string_view& element : elements) {
    element = rest.substr(0, rest.find('/'));
    rest.remove_prefix(std::min(element.size() + 1, rest.size()));
  }
  return Credential{elements[0], elements[1], elements[2], elements[3], elements[4]};
}

Result<void> VerifySignature::CheckScope(const Credential& credential, const Time& time) const {
  std::string wrong;
  if (credential.region != options_.region) {
    wrong += "Credential should be scoped to a valid region";
    if (!IsCurrent(options_.wording)) wrong += fmt::format(", not '{}'", credential.region);
    wrong += ". ";
  }
  if (credential.service != kService) {
    wrong += "Credential should be scoped to correct service: 'dynamodb'. ";
  }
  if (credential.terminator != kScopeTerminator) {
    wrong += fmt::format(
        "Credential should be scoped with a valid terminator: 'aws4_request', not '{}'. ",
        credential.terminator);
  }
  const std::string_view date = std::string_view(time.iso).substr(0, kScopeDateLength);
  if (credential.date != date) {
    wrong += fmt::format(
        "Date in Credential scope does not match YYYYMMDD from ISO-8601 version of date from HTTP: "
        "'{}' != '{}', from '{}'.",
        credential.date, date, time.iso);
  }
  if (wrong.empty()) return {};
  return Invalid(wrong);
}

Result<const VerifySignature::Known*> VerifySignature::FindKnown(
    const Credential& credential, const SignatureParts& parts) const {
  const auto found = known_.find(credential.access_key_id);
  if (found == known_.end()) return std::unexpected(Error::UnrecognizedClient());
  const Known& known = found->second;
  if (known.session_token.empty()) {
    if (parts.session_token) return std::unexpected(NoTokenExpected());
  } else if (!EqualInConstantTime(parts.session_token.value_or(""), known.session_token)) {
    return std::unexpected(Error::UnrecognizedClient());
  }
  return &known;
}

bool VerifySignature::IsRight(const SignedRequest& request, const Claim& claim,
                              std::string_view body_hash) {
  const std::optional<CanonicalRequest> canonical = CanonicalRequest::Of(request, claim.parts);
  return canonical && EqualInConstantTime(SignatureOverHash(canonical->view(), body_hash, claim.key,
                                                            claim.time.iso),
                                          claim.parts.signature);
}

}  // namespace stator
