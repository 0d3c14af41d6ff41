// Where the load goes: an http:// address.
#ifndef STATOR_BENCH_ENDPOINT_H_
#define STATOR_BENCH_ENDPOINT_H_

#include <sys/socket.h>

#include <expected>
#include <string>
#include <string_view>

#include "http/url.h"

namespace stator::bench {

using Endpoint = http::Url;

// Errors are texts for people. Refuses https://.
std::expected<Endpoint, std::string> ParseEndpoint(std::string_view url);

std::expected<sockaddr_storage, std::string> FirstAddress(const Endpoint& endpoint);

}  // namespace stator::bench

#endif  // STATOR_BENCH_ENDPOINT_H_
