#include "auth/accept_any.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/try.h"

namespace stator {
namespace {

constexpr std::string_view kBlanks = " \t";

std::string_view Trim(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

char LowerAscii(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool SameName(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, LowerAscii, LowerAscii);
}

std::optional<std::string_view> FindHeader(const SignedRequest& request, std::string_view name) {
  for (const HeaderField& header : request.headers) {
    if (SameName(header.name, name)) return header.value;
  }
  return std::nullopt;
}

// Finds name=value among parts that either separator keeps apart.
struct Separators {
  char one;
  char other;
};
std::optional<std::string_view> FindParameter(std::string_view text, Separators separators,
                                              std::string_view name) {
  const auto separates = [&](char c) { return c == separators.one || c == separators.other; };
  while (!text.empty()) {
    const auto end = static_cast<std::size_t>(std::ranges::find_if(text, separates) - text.begin());
    const std::string_view part = text.substr(0, end);
    const std::size_t equals = std::min(part.find('='), part.size());
    if (part.substr(0, equals) == name) {
      return equals == part.size() ? std::string_view() : part.substr(equals + 1);
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

bool HasNonEmpty(std::optional<std::string_view> value) { return value && !value->empty(); }

Result<void> CheckHeaderForm(const SignedRequest& request, std::string_view authorization) {
  std::string missing;
  for (const std::string_view part : {"Credential", "Signature", "SignedHeaders"}) {
    if (!HasNonEmpty(FindParameter(authorization, {',', ' '}, part))) {
      missing.append("Authorization header requires '").append(part).append("' parameter. ");
    }
  }
  if (!HasNonEmpty(FindHeader(request, "X-Amz-Date")) &&
      !HasNonEmpty(FindHeader(request, "Date"))) {
    missing +=
        "Authorization header requires existence of either a 'X-Amz-Date' or a 'Date' header. ";
  }
  if (missing.empty()) return {};
  missing.append("Authorization=").append(authorization);
  return std::unexpected(Error::IncompleteSignature(std::move(missing)));
}

Result<void> CheckQueryForm(const SignedRequest& request) {
  static constexpr std::array<std::string_view, 5> kNeeded = {"X-Amz-Algorithm", "X-Amz-Credential",
                                                              "X-Amz-Signature",
                                                              "X-Amz-SignedHeaders", "X-Amz-Date"};
  std::string missing;
  for (const std::string_view name : kNeeded) {
    if (!HasNonEmpty(FindParameter(request.query, {'&', '&'}, name))) {
      missing.append("AWS query-string parameters must include '").append(name).append("'. ");
    }
  }
  if (missing.empty()) return {};
  missing += "Re-examine the query-string parameters.";
  return std::unexpected(Error::IncompleteSignature(std::move(missing)));
}

}  // namespace

Result<void> AcceptAny::Check(const SignedRequest& request) const {
  const bool in_query = FindParameter(request.query, {'&', '&'}, "X-Amz-Algorithm").has_value();
  const std::optional<std::string_view> header = FindHeader(request, "Authorization");
  if (in_query && header) {
    return std::unexpected(
        Error::InvalidSignature("Found both 'X-Amz-Algorithm' as a query-string param and "
                                "'Authorization' as HTTP header."));
  }
  if (in_query) return CheckQueryForm(request);
  const std::string_view authorization = Trim(header.value_or(""));
  if (!authorization.starts_with("AWS4-")) {
    return std::unexpected(Error::MissingAuthenticationToken());
  }
  return CheckHeaderForm(request, authorization);
}

Result<void> AcceptUnsigned::Check(const SignedRequest&) const { return {}; }

}  // namespace stator
