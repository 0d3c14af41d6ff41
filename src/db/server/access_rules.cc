#include "server/access_rules.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>

#include "server/listener.h"

namespace stator::server {
namespace {

// How much of a name or origin a message repeats; no domain name is longer.
constexpr std::size_t kQuotedBytesMax = 255;

bool IsPort(std::string_view text) {
  return text.size() <= 5 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

// A Host header without its port; nullopt if it has none of the forms that it can have.
std::optional<std::string_view> WithoutPort(std::string_view host_header) {
  const std::size_t bracket = host_header.find(']');
  const bool v6 = host_header.starts_with('[') && bracket != std::string_view::npos;
  const std::size_t colon = host_header.find(':', v6 ? bracket : 0);
  if (colon != std::string_view::npos && !IsPort(host_header.substr(colon + 1))) {
    return std::nullopt;
  }
  return host_header.substr(0, colon);
}

bool EndsWithName(std::string_view host, std::string_view suffix) {
  return host.size() > suffix.size() &&
         http::SameHeaderName(host.substr(host.size() - suffix.size()), suffix);
}

bool IsAddress(std::string_view host) {
  in_addr v4{};
  in6_addr v6{};
  const std::string text(host);
  if (!host.starts_with('[')) return inet_pton(AF_INET, text.c_str(), &v4) == 1;
  return host.ends_with(']') &&
         inet_pton(AF_INET6, text.substr(1, text.size() - 2).c_str(), &v6) == 1;
}

bool IsNameWithoutDot(std::string_view host) {
  return !host.empty() && std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  });
}

bool NamesLoopback(std::string_view host) {
  if (host == "127.0.0.1" || http::SameHeaderName(host, "localhost")) return true;
  if (host.starts_with('[')) return host == "[::1]";
  return EndsWithName(host, ".localhost") || IsLoopbackHost(std::string(host));
}

bool Matches(std::string_view host, std::string_view allowed) {
  if (allowed == "*") return true;
  if (allowed.starts_with("*.")) return EndsWithName(host, allowed.substr(1));
  return http::SameHeaderName(host, allowed);
}

// A target that is a whole URL names the server too, and a proxy would go by that name.
std::optional<std::string_view> AuthorityOf(std::string_view target) {
  const std::size_t scheme_end = target.find("://");
  if (target.starts_with('/') || scheme_end == std::string_view::npos) return std::nullopt;
  const std::string_view rest = target.substr(scheme_end + 3);
  return rest.substr(0, rest.find_first_of("/?"));
}

std::string Quoted(std::string_view text) {
  std::string quoted = http::Utf8OfHeader(text.substr(0, kQuotedBytesMax));
  if (text.size() > kQuotedBytesMax) quoted += "…";
  return quoted;
}

}  // namespace

bool NamesThisMachine(std::string_view host_header) {
  const std::optional<std::string_view> host = WithoutPort(host_header);
  return host && NamesLoopback(*host);
}

bool IsSameOrigin(std::string_view origin, std::string_view host_header) {
  constexpr std::string_view kScheme = "http://";
  return origin.size() > kScheme.size() &&
         http::SameHeaderName(origin.substr(0, kScheme.size()), kScheme) &&
         http::SameHeaderName(origin.substr(kScheme.size()), host_header);
}

AccessRules::AccessRules(const ServerOptions& options)
    : names_(Names::kThisMachine),
      allowed_(options.allowed_hosts),
      cors_origin_(options.cors_origin) {
  if (IsLoopbackHost(options.host)) return;
  const bool is_signed = !options.credentials_file.empty();
  names_ = is_signed && allowed_.empty() ? Names::kAny : Names::kUnambiguous;
}

bool AccessRules::AllowsHost(std::string_view host_header) const {
  if (names_ == Names::kAny) return true;
  const std::optional<std::string_view> host = WithoutPort(host_header);
  if (!host) return false;
  if (NamesLoopback(*host)) return true;
  if (names_ == Names::kUnambiguous && (IsNameWithoutDot(*host) || IsAddress(*host))) return true;
  return std::ranges::any_of(allowed_,
                             [&](const std::string& name) { return Matches(*host, name); });
}

std::optional<std::string> AccessRules::WhyRefused(const RequestHead& head) const {
  // HTTP/1.0 need not name the server; no browser speaks it.
  const std::optional<std::string_view> host = head.Find("Host");
  const std::optional<std::string_view> authority = AuthorityOf(head.target());
  for (const std::optional<std::string_view>& name : {host, authority}) {
    if (!name || AllowsHost(*name)) continue;
    return fmt::format(
        "This server does not answer to the name '{0}'. If it is a name of yours, start the server "
        "with --allow-host and the name without its port; it always answers to {1}.",
        Quoted(*name), names_ == Names::kThisMachine ? "localhost and 127.0.0.1" : "its addresses");
  }
  const std::optional<std::string_view> origin = head.Find("Origin");
  if (!origin) return std::nullopt;
  const bool is_allowed = head.Count("Origin") == 1 &&
                          (AllowsOrigin(*origin) || IsSameOrigin(*origin, host.value_or("")));
  if (is_allowed) return std::nullopt;
  return fmt::format(
      "Web pages of '{0}' may not use this server. If the page is yours, start the server with "
      "--cors {0}.",
      Quoted(*origin));
}

}  // namespace stator::server
