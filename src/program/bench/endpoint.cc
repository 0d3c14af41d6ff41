#include "bench/endpoint.h"

#include "base/try.h"

namespace stator::bench {

std::expected<Endpoint, std::string> ParseEndpoint(std::string_view url) {
  if (url.starts_with("https://")) {
    return std::unexpected(
        "https:// is not supported: the load generator speaks plain HTTP only, so that TLS is not "
        "what is measured. AWS answers at http://dynamodb.REGION.amazonaws.com too");
  }
  return http::ParseUrl(url);
}

std::expected<sockaddr_storage, std::string> FirstAddress(const Endpoint& endpoint) {
  ASSIGN_OR_RETURN(const auto addresses, http::Resolve(endpoint));
  return addresses.front();
}

}  // namespace stator::bench
