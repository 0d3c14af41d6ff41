#include "auth/signature_parts.h"

#include <algorithm>
#include <utility>

#include "auth/header_fields.h"
#include "auth/query_string.h"

namespace stator {
namespace {

// The value of name=value among parts that commas and blanks keep apart; empty if there is none.
std::string_view FindInHeader(std::string_view authorization, std::string_view name) {
  while (!authorization.empty()) {
    const std::size_t end = std::min(authorization.find_first_of(", "), authorization.size());
    const std::string_view part = authorization.substr(0, end);
    if (part.size() > name.size() && part.starts_with(name) && part[name.size()] == '=') {
      return part.substr(name.size() + 1);
    }
    authorization.remove_prefix(std::min(end + 1, authorization.size()));
  }
  return {};
}

Result<SignatureParts> FromHeader(const SignedRequest& request, std::string_view authorization) {
  SignatureParts parts;
  parts.algorithm = authorization.substr(0, authorization.find_first_of(" ,"));
  parts.credential = FindInHeader(authorization, "Credential");
  parts.signature = FindInHeader(authorization, "Signature");
  parts.signed_headers = FindInHeader(authorization, "SignedHeaders");
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
  missing.append("Authorization=").append(authorization);
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
