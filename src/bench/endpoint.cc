#include "bench/endpoint.h"

#include <netdb.h>

#include <charconv>
#include <cstring>
#include <memory>

namespace stator::bench {
namespace {

constexpr std::string_view kHttp = "http://";
constexpr std::uint16_t kHttpPort = 80;

bool IsLoopback(std::string_view host) {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

// Splits "host:port" or "[v6]:port". False if the port is no port.
bool SplitAuthority(std::string_view authority, Endpoint& out) {
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

std::expected<Endpoint, std::string> ParseEndpoint(std::string_view url) {
  if (url.starts_with("https://")) {
    return std::unexpected(
        "https:// is not supported: the load generator speaks plain HTTP only, so that TLS is not "
        "what is measured. AWS answers at http://dynamodb.REGION.amazonaws.com too");
  }
  if (!url.starts_with(kHttp)) {
    return std::unexpected("the endpoint must look like http://127.0.0.1:8000");
  }
  std::string_view authority = url.substr(kHttp.size());
  if (authority.ends_with('/')) authority.remove_suffix(1);
  Endpoint endpoint;
  if (authority.find_first_of("/?#@ \t\r\n") != std::string_view::npos ||
      !SplitAuthority(authority, endpoint) || endpoint.host.empty()) {
    return std::unexpected("the endpoint must be http://HOST[:PORT] and nothing more");
  }
  const bool is_v6 = endpoint.host.find(':') != std::string::npos;
  endpoint.host_header = is_v6 ? "[" + endpoint.host + "]" : endpoint.host;
  if (endpoint.port != kHttpPort) endpoint.host_header += ":" + std::to_string(endpoint.port);
  endpoint.is_loopback = IsLoopback(endpoint.host);
  return endpoint;
}

std::string_view RegionOfHost(std::string_view host) {
  constexpr std::string_view kService = "dynamodb.";
  if (!host.starts_with(kService) || host.find(".amazonaws.com") == std::string_view::npos) {
    return {};
  }
  host.remove_prefix(kService.size());
  return host.substr(0, host.find('.'));
}

std::expected<sockaddr_storage, std::string> Resolve(const Endpoint& endpoint) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const std::string port = std::to_string(endpoint.port);
  const int status = getaddrinfo(endpoint.host.c_str(), port.c_str(), &hints, &found);
  if (status != 0) {
    return std::unexpected("cannot find " + endpoint.host + ": " + gai_strerror(status));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  sockaddr_storage address{};
  std::memcpy(&address, found->ai_addr, found->ai_addrlen);
  return address;
}

}  // namespace stator::bench
