// Where the load goes: an http:// address.
#ifndef STATOR_BENCH_ENDPOINT_H_
#define STATOR_BENCH_ENDPOINT_H_

#include <sys/socket.h>

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace stator::bench {

struct Endpoint {
  std::string host;  // a name or an address, without brackets
  std::uint16_t port = 80;
  std::string host_header;  // "host:port", without the port if it is HTTP's own
  bool is_loopback = false;
};

// Errors are texts for people.
std::expected<Endpoint, std::string> ParseEndpoint(std::string_view url);

// The region that AWS's host names carry ("dynamodb.eu-west-1.amazonaws.com"), empty for others.
std::string_view RegionOfHost(std::string_view host);

std::expected<sockaddr_storage, std::string> Resolve(const Endpoint& endpoint);

}  // namespace stator::bench

#endif  // STATOR_BENCH_ENDPOINT_H_
