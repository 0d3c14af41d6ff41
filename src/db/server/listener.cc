#include "server/listener.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "base/try.h"

namespace stator::server {
namespace {

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
  std::uint16_t port() const {
    return storage.ss_family == AF_INET6
               ? ntohs(reinterpret_cast<const sockaddr_in6&>(storage).sin6_port)
               : ntohs(reinterpret_cast<const sockaddr_in&>(storage).sin_port);
  }
};

// Addresses only: a name could mean several, and one of them could be open to the world.
std::optional<Address> ParseAddress(const std::string& host, std::uint16_t port) {
  Address address;
  auto& v4 = reinterpret_cast<sockaddr_in&>(address.storage);
  auto& v6 = reinterpret_cast<sockaddr_in6&>(address.storage);
  const char* text = host == "localhost" ? "127.0.0.1" : host.c_str();
  if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(port);
    address.size = sizeof(sockaddr_in);
    return address;
  }
  if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(port);
    address.size = sizeof(sockaddr_in6);
    return address;
  }
  return std::nullopt;
}

bool SetOption(int socket, int option) {
  const int on = 1;
  return setsockopt(socket, SOL_SOCKET, option, &on, sizeof(on)) == 0;
}

std::string Explain(const std::string& host, std::uint16_t port, int error) {
  if (error == EADDRINUSE) {
    return fmt::format(
        "port {} on {} is in use by another program; choose another with --port, or --port 0 for "
        "any free one",
        port, host);
  }
  if (error == EACCES) {
    return fmt::format("port {} needs privileges; choose one above 1023 with --port", port);
  }
  if (error == EADDRNOTAVAIL) {
    return fmt::format("{} is not an address of this machine; choose another with --host", host);
  }
  return fmt::format("cannot listen on {} port {}: {}", host, port, std::strerror(error));
}

}  // namespace

bool IsLoopbackHost(const std::string& host) {
  const std::optional<Address> address = ParseAddress(host, 0);
  if (!address) return false;
  if (address->storage.ss_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address->storage);
    return (ntohl(v4.sin_addr.s_addr) >> 24) == 127;
  }
  const auto& v6 = reinterpret_cast<const sockaddr_in6&>(address->storage);
  return IN6_IS_ADDR_LOOPBACK(&v6.sin6_addr);
}

std::expected<Listeners, std::string> Listeners::Open(const std::string& host, std::uint16_t port,
                                                      std::size_t count) {
  std::optional<Address> address = ParseAddress(host, port);
  if (!address) {
    return std::unexpected(
        fmt::format("'{}' is not an IP address; --host takes one, e.g. 127.0.0.1 or ::1", host));
  }
  Listeners listeners;
  for (std::size_t i = 0; i < count; ++i) {
    const int fd = socket(address->storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return std::unexpected(Explain(host, port, errno));
    listeners.sockets_.push_back(fd);
    const bool first = i == 0;
    // The first socket claims the port for itself and shares it only after that; otherwise a
    // second server could join our group unnoticed and take half of the connections.
    const bool ready = SetOption(fd, SO_REUSEADDR) && (first || SetOption(fd, SO_REUSEPORT)) &&
                       bind(fd, address->get(), address->size) == 0 &&
                       (!first || SetOption(fd, SO_REUSEPORT));
    if (!ready) return std::unexpected(Explain(host, port, errno));
    if (first) {
      getsockname(fd, address->get(), &address->size);
      listeners.port_ = address->port();
    }
  }
  for (const int fd : listeners.sockets_) {
    if (listen(fd, kListenBacklog) != 0) return std::unexpected(Explain(host, port, errno));
  }
  return listeners;
}

Listeners::~Listeners() {
  for (const int fd : sockets_) close(fd);
}

int Listeners::Take() {
  const int fd = sockets_.back();
  sockets_.pop_back();
  return fd;
}

}  // namespace stator::server
