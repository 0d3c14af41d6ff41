#include "http/url.h"

#include <netdb.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>

namespace stator::http {
namespace {

constexpr std::string_view kHttp = "http://";
constexpr std::string_view kHttps = "https://";
constexpr std::uint16_t kHttpPort = 80;
constexpr std::uint16_t kHttpsPort = 443;

bool IsLoopback(std::string_view host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

// The host goes into a header and to the resolver: nothing below '!' and above '~', and nothing
// that would begin another part of a URL.
bool IsAuthority(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return c > ' ' && c <= '~' && std::string_view("/?#@\\").find(c) == std::string_view::npos;
  });
}

// Splits "host:port" or "[v6]:port". False if the port is not one.
bool SplitAuthority(std::string_view authority, Url& out) {
  std::string_view port;
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos) return false;
    out.host = authority.substr(1, close - 1);
    port = authority.substr(close + 1);
  } else {
    const std::size_t colon = std::min(authority.find(':'), authority.size());
    out.host = authority.substr(0, colon);
    port = authority.substr(colon);
  }
  if (port.empty()) return true;
  if (!port.starts_with(':')) return false;
  port.remove_prefix(1);
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), out.port);
  return error == std::errc() && end == port.data() + port.size() && out.port != 0;
}

}  // namespace

std::expected<Url, std::string> ParseUrl(std::string_view url) {
  Url result;
  result.is_tls = url.starts_with(kHttps);
  if (!result.is_tls && !url.starts_with(kHttp)) {
    return std::unexpected("the endpoint must look like http://127.0.0.1:8000");
  }
  const std::uint16_t own_port = result.is_tls ? kHttpsPort : kHttpPort;
  result.port = own_port;
  std::string_view authority = url.substr(result.is_tls ? kHttps.size() : kHttp.size());
  if (authority.ends_with('/')) authority.remove_suffix(1);
  if (!IsAuthority(authority) || !SplitAuthority(authority, result) || result.host.empty()) {
    return std::unexpected("the endpoint must be http://HOST[:PORT] and nothing more");
  }
  const bool is_v6 = result.host.find(':') != std::string::npos;
  result.host_header = is_v6 ? "[" + result.host + "]" : result.host;
  if (result.port != own_port) result.host_header += ":" + std::to_string(result.port);
  result.is_loopback = IsLoopback(result.host);
  return result;
}

std::string_view RegionOfHost(std::string_view host) {
  constexpr std::string_view kService = "dynamodb.";
  if (!host.starts_with(kService) || host.find(".amazonaws.com") == std::string_view::npos) {
    return {};
  }
  host.remove_prefix(kService.size());
  return host.substr(0, host.find('.'));
}

std::expected<std::vector<sockaddr_storage>, std::string> Resolve(const Url& url) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(url.port);
  const int status = getaddrinfo(url.host.c_str(), port.c_str(), &hints, &found);
  if (status != 0) {
    return std::unexpected("cannot find " + url.host + ": " + gai_strerror(status));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  std::vector<sockaddr_storage> addresses;
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    std::memcpy(&addresses.emplace_back(), one->ai_addr, one->ai_addrlen);
  }
  return addresses;
}

}  // namespace stator::http
