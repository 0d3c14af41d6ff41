#include "auth/signed_request.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace stator {
namespace {

struct Parameter {
  std::string_view name;
  std::string_view value;
};

// Cuts the first parameter off. REQUIRES: the query is not empty.
Parameter TakeParameter(std::string_view& query) {
  const std::size_t end = std::min(query.find('&'), query.size());
  const std::string_view part = query.substr(0, end);
  query.remove_prefix(std::min(end + 1, query.size()));
  const std::size_t equals = std::min(part.find('='), part.size());
  return {part.substr(0, equals), part.substr(std::min(equals + 1, part.size()))};
}

// -1: not a digit.
int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The value of the first parameter of that name, as sent; empty if it has none.
std::optional<std::string_view> FindQueryParameter(std::string_view query, std::string_view name) {
  while (!query.empty()) {
    const Parameter parameter = TakeParameter(query);
    if (parameter.name == name) return parameter.value;
  }
  return std::nullopt;
}

std::string PercentDecoded(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool has_digits = text[i] == '%' && i + 2 < text.size() && HexValue(text[i + 1]) >= 0 &&
                            HexValue(text[i + 2]) >= 0;
    if (!has_digits) {
      out.push_back(text[i]);
      continue;
    }
    out.push_back(static_cast<char>((HexValue(text[i + 1]) << 4) | HexValue(text[i + 2])));
    i += 2;
  }
  return out;
}

bool IsUnreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_' || c == '.' || c == '~';
}

std::string PercentEncoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    if (IsUnreserved(c)) {
      out.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out.append({'%', kDigits[byte >> 4], kDigits[byte & 15]});
    }
  }
  return out;
}

std::string Canonical(std::string_view text) { return PercentEncoded(PercentDecoded(text)); }

bool Separates(char c) { return c == ',' || c == ' '; }

// Takes name=value into the part of that name, unless it has one already.
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
  parts.date = http::TrimBlanks(http::FindHeader(request.headers, "X-Amz-Date").value_or(""));
  if (parts.date.empty())
    parts.date = http::TrimBlanks(http::FindHeader(request.headers, "Date").value_or(""));
  parts.session_token = http::FindHeader(request.headers, "X-Amz-Security-Token");

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
  missing.append("Authorization=").append(http::Utf8OfHeader(authorization));
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

// Every run of blanks is one blank.
std::string SqueezedBlanks(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool is_blank = c == ' ' || c == '\t';
    if (is_blank && !out.empty() && out.back() == ' ') continue;
    out.push_back(is_blank ? ' ' : c);
  }
  return out;
}

bool NeedsSqueezing(std::string_view value) {
  return value.find("  ") != std::string_view::npos || value.find('\t') != std::string_view::npos;
}

}  // namespace

std::string CanonicalQuery(std::string_view query, std::string_view left_out) {
  std::vector<std::pair<std::string, std::string>> parameters;
  while (!query.empty()) {
    const Parameter parameter = TakeParameter(query);
    if (parameter.name.empty() && parameter.value.empty()) continue;  // "a=1&&b=2"
    if (!left_out.empty() && parameter.name == left_out) continue;
    parameters.emplace_back(Canonical(parameter.name), Canonical(parameter.value));
  }
  std::ranges::sort(parameters);
  std::string out;
  for (const auto& [name, value] : parameters) {
    if (!out.empty()) out.push_back('&');
    out.append(name).append("=").append(value);
  }
  return out;
}

Result<SignatureParts> FindSignature(const SignedRequest& request) {
  const bool in_query = FindQueryParameter(request.query, "X-Amz-Algorithm").has_value();
  const std::optional<std::string_view> header = http::FindHeader(request.headers, "Authorization");
  if (in_query && header) {
    return std::unexpected(
        Error::InvalidSignature("Found both 'X-Amz-Algorithm' as a query-string param and "
                                "'Authorization' as HTTP header."));
  }
  if (in_query) return FromQuery(request);
  const std::string_view authorization = http::TrimBlanks(header.value_or(""));
  if (!authorization.starts_with("AWS4-")) {
    return std::unexpected(Error::MissingAuthenticationToken());
  }
  return FromHeader(request, authorization);
}

std::optional<CanonicalRequest> CanonicalRequest::Of(const SignedRequest& request,
                                                     const SignatureParts& parts) {
  std::optional<CanonicalRequest> canonical(std::in_place);
  canonical->request_ = request;
  if (!request.query.empty()) {
    canonical->query_ = CanonicalQuery(request.query, parts.in_query ? "X-Amz-Signature" : "");
  }
  std::string_view names = parts.signed_headers;
  std::string_view previous;
  while (!names.empty()) {
    const std::size_t end = std::min(names.find(';'), names.size());
    const std::string_view name = names.substr(0, end);
    if (name <= previous || !canonical->AddHeader(request, name)) return std::nullopt;
    previous = name;
    names.remove_prefix(std::min(end + 1, names.size()));
  }
  return canonical;
}

bool CanonicalRequest::AddHeader(const SignedRequest& request, std::string_view name) {
  std::size_t count = 0;
  std::string_view value;
  std::string joined;
  for (const http::HeaderField& header : request.headers) {
    if (!http::SameHeaderName(header.name, name)) continue;
    std::string_view next = http::TrimBlanks(header.value);
    if (NeedsSqueezing(next)) next = Keep(SqueezedBlanks(next));
    if (++count == 1) {
      value = next;
      continue;
    }
    if (count == 2) joined = value;
    joined.append(",").append(next);
  }
  if (count == 0) return false;
  if (count > 1) value = Keep(std::move(joined));
  headers_.push_back({.name = name, .value = value});
  return true;
}

SignedRequest CanonicalRequest::view() const {
  SignedRequest view = request_;
  view.query = query_;
  view.headers = {headers_.data(), headers_.size()};
  return view;
}

}  // namespace stator
