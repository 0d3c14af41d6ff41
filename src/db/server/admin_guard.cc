#include "server/admin_guard.h"

#include <fmt/format.h>

#include <algorithm>

#include "server/listener.h"

namespace stator::server {
namespace {

AdminRefusal Forbidden(std::string message) { return {403, std::move(message)}; }

bool IsPort(std::string_view text) {
  return text.size() <= 5 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

bool IsJson(const RequestHead& head) {
  const std::string_view value = head.Find("Content-Type").value_or("");
  return http::SameHeaderName(http::TrimBlanks(value.substr(0, value.find(';'))),
                              "application/json");
}

// A page that this server could have sent; "null" and other schemes are not.
bool IsSameOrigin(std::string_view origin, std::string_view host) {
  constexpr std::string_view kScheme = "http://";
  return origin.size() > kScheme.size() &&
         http::SameHeaderName(origin.substr(0, kScheme.size()), kScheme) &&
         http::SameHeaderName(origin.substr(kScheme.size()), host);
}

}  // namespace

bool NamesThisMachine(std::string_view host_header) {
  const std::size_t bracket = host_header.find(']');
  const bool v6 = host_header.starts_with('[') && bracket != std::string_view::npos;
  const std::size_t colon = host_header.find(':', v6 ? bracket : 0);
  const std::string_view host = host_header.substr(0, colon);
  if (colon != std::string_view::npos && !IsPort(host_header.substr(colon + 1))) return false;
  if (v6) return host == "[::1]";
  return http::SameHeaderName(host, "localhost") || IsLoopbackHost(std::string(host));
}

std::optional<AdminRefusal> CheckAdminAccess(const RequestHead& head, bool has_body,
                                             const std::string& listening_host) {
  if (!IsLoopbackHost(listening_host)) {
    return Forbidden(fmt::format(
        "/_stator/ is answered only by a server that no other machine can reach, and this one "
        "listens on {}. Start it with --host 127.0.0.1 to use it.",
        listening_host));
  }
  // A whole URL as the target has a host of its own, which would count instead of Host.
  const std::string_view host = head.Find("Host").value_or("");
  if (!head.target().starts_with('/') || head.Count("Host") != 1 || !NamesThisMachine(host)) {
    return Forbidden(
        "/_stator/ must be addressed by a name of this machine: use localhost, 127.0.0.1 or [::1] "
        "in the URL, and no proxy.");
  }
  const bool has_origin = head.Count("Origin") > 0;
  if (has_origin && (head.Count("Origin") != 1 || !IsSameOrigin(*head.Find("Origin"), host))) {
    return Forbidden(
        "/_stator/ is not for web pages of other origins. Send the request without an Origin "
        "header, from a program.");
  }
  if (has_body && !IsJson(head)) {
    return AdminRefusal{415, "Send the header Content-Type: application/json."};
  }
  return std::nullopt;
}

}  // namespace stator::server
