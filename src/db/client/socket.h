// TCP, with deadlines.
#ifndef STATOR_CLIENT_SOCKET_H_
#define STATOR_CLIENT_SOCKET_H_

#include <sys/socket.h>

#include <memory>

#include "client/byte_stream.h"
#include "http/url.h"

namespace stator {

class Socket final : public ByteStream {
 public:
  // Tries the server's addresses one after the other.
  static StreamResult<std::unique_ptr<Socket>> Connect(const http::Url& url, Deadline deadline);
  ~Socket() override;
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;

  StreamResult<void> Write(std::string_view bytes, Deadline deadline) override;
  StreamResult<std::size_t> Read(std::span<char> into, Deadline deadline) override;
  bool IsQuiet() const override;

 private:
  explicit Socket(int fd) : fd_(fd) {}
  static StreamResult<std::unique_ptr<Socket>> ConnectTo(const sockaddr_storage& address,
                                                         Deadline deadline);
  // Waits for POLLIN or POLLOUT.
  StreamResult<void> WaitFor(short events, Deadline deadline) const;

  const int fd_;
};

}  // namespace stator

#endif  // STATOR_CLIENT_SOCKET_H_
