#include "auth/signature_parts.h"

#include <algorithm>
#include <utility>

#include "auth/header_fields.h"
#include "auth/query_string.h"

namespace stator {
namespace {

bool Separates(char c) { return c == ',' || c == ' '; }

// Takes name=value into the part of that name, unless it was there before.
void TakePart(SignatureParts& parts, std::string_view text) {
  const auto take = [&](std::string_view& part, std::string_view name) {
    if (part.empty() && text.starts_with(name)) part = text.substr(name.size());
  };
  take(parts.credential, "Credential=");
  take(parts.signature, "Signature=");
  take(parts.signed_headers, "SignedHeaders=");
}

Result<SignatureParts> FromHeader(const SignedRequest& request, std::string_view authorization) {
  SignatureParts parts;
  for (const char *at = authorization.begin(), *end = authorization.end(); at != end;) {
    const char* const next = std::find_if(at, end, Separates);
    if (at == authorization.begin()) parts.algorithm = {at, next};
    TakePart(parts, {at, next});
    at = next == end ? end : next + 1;
  }
  parts.date = TrimBlanks(FindHeader(request, "X-Amz-Date").value_or(""));
  if (parts.date.empty()) parts.date = TrimBlanks(FindHeader(request, "Date").value_or(""));
  parts.session_token = FindHeader(request, "X-Amz-Security-Token");

  std::string missing;
  const auto demand = [&](std::string_view part, std::string_view name) {
    if (!part.empty()) return;
    missing.append("Authorization header requires '").append(name).append("' parameter. ");
  };
  demand(parts.credential, "Credential");
  demand(parts.signature, "Signature");
  demand(parts.signed_headers, "SignedHeaders");
  if (parts.date.empty()) {
    missing +=
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  }
  if (missing.empty()) return parts;
  missing.append("Authorization=").append(Utf8OfHeader(authorization));
  return std::unexpected(Error::IncompleteSignature(std::move(missing)));
}

Result<SignatureParts> FromQuery(const SignedRequest& request) {
  SignatureParts parts;
  parts.in_query = true;
  const auto find = [&](std::string_view name) -> std::optional<std::string_view> {
    const std::optional<std::string_view> value = FindQueryParameter(request.query, name);
    if (!value || value->find('%') == std::string_view::npos) return value;
    return parts.decoded.emplace_front(PercentDecoded(*value));
  };
  std::string missing;
  const auto demand = [&](std::string_view name) {
    const std::string_view value = find(name).value_or("");
    if (value.empty()) {
      missing.append("AWS query-string parameters must include '").append(name).append("'. ");
    }
    return value;
  };
  parts.algorithm = demand("X-Amz-Algorithm");
  parts.credential = demand("X-Amz-Credential");
  parts.signature = demand("X-Amz-Signature");
  parts.signed_headers = demand("X-Amz-SignedHeaders");
  parts.date = demand("X-Amz-Date");
  parts.expires = find("X-Amz-Expires");
  parts.session_token = find("X-Amz-Security-Token");
  if (missing.empty()) return parts;
  missing += "Re-examine the query-string parameters.";
  return std::unexpected(Error::IncompleteSignature(std::move(missing)));
}

}  // namespace

Result<SignatureParts> FindSignature(const SignedRequest& request) {
  const bool in_query = FindQueryParameter(request.query, "X-Amz-Algorithm").has_value();
  const std::optional<std::string_view> header = FindHeader(request, "Authorization");
  if (in_query && header) {
    return std::unexpected(
        Error::InvalidSignature("Found both 'X-Amz-Algorithm' as a query-string param and "
                                "'Authorization' as HTTP header."));
  }
  if (in_query) return FromQuery(request);
  const std::string_view authorization = TrimBlanks(header.value_or(""));
  if (!authorization.starts_with("AWS4-")) {
    return std::unexpected(Error::MissingAuthenticationToken());
  }
  return FromHeader(request, authorization);
}

}  // namespace stator
