// Listening sockets that share one port.
#ifndef STATOR_SERVER_LISTENER_H_
#define STATOR_SERVER_LISTENER_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace stator::server {

// How many connections may wait to be accepted; the kernel may have a lower limit.
inline constexpr int kListenBacklog = 4096;

// True if only this machine can reach the host: 127.0.0.0/8, ::1 or localhost.
bool IsLoopbackHost(const std::string& host);

// Owns listening sockets until they are taken.
class Listeners {
 public:
  // Opens `count` sockets on one port (0: any free one). The kernel spreads connections over them.
  // Fails with a message for people; another server on the port is a failure.
  static std::expected<Listeners, std::string> Open(const std::string& host, std::uint16_t port,
                                                    std::size_t count);
  Listeners(Listeners&&) noexcept = default;
  Listeners& operator=(Listeners&&) = delete;
  ~Listeners();

  std::uint16_t port() const { return port_; }
  int Take();  // REQUIRES: fewer than `count` were taken

 private:
  Listeners() = default;

  std::vector<int> sockets_;
  std::uint16_t port_ = 0;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_LISTENER_H_
