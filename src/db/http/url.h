// Where a server is: http://HOST[:PORT] or https://HOST[:PORT].
#ifndef STATOR_HTTP_URL_H_
#define STATOR_HTTP_URL_H_

#include <sys/socket.h>

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace stator::http {

struct Url {
  bool is_tls = false;
  std::string host;  // a name or an address, without brackets
  std::uint16_t port = 80;
  std::string host_header;  // "host:port", without the port if it is the scheme's own
  bool is_loopback = false;
};

// Errors are texts for people.
std::expected<Url, std::string> ParseUrl(std::string_view url);

// The region that AWS's host names carry ("dynamodb.eu-west-1.amazonaws.com"), empty for others.
std::string_view RegionOfHost(std::string_view host);

// At least one address, the preferred one first. May take as long as the resolver does.
std::expected<std::vector<sockaddr_storage>, std::string> Resolve(const Url& url);

}  // namespace stator::http

#endif  // STATOR_HTTP_URL_H_
