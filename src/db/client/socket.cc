#include "client/socket.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <system_error>

#include "base/try.h"

namespace stator {
namespace {

std::unexpected<StreamProblem> Lost(int error) {
  return std::unexpected(
      StreamProblem{StreamProblem::Kind::kLost, std::generic_category().message(error)});
}

std::unexpected<StreamProblem> TimedOut() {
  return std::unexpected(StreamProblem{StreamProblem::Kind::kTimeout, "it took too long"});
}

socklen_t LengthOf(const sockaddr_storage& address) {
  return address.ss_family == AF_INET ? sizeof(sockaddr_in) : sizeof(sockaddr_in6);
}

bool WouldBlock(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

}  // namespace

StreamResult<std::unique_ptr<Socket>> Socket::Connect(const http::Url& url, Deadline deadline) {
  const auto addresses = http::Resolve(url);
  if (!addresses) {
    return std::unexpected(StreamProblem{StreamProblem::Kind::kLost, addresses.error()});
  }
  StreamResult<std::unique_ptr<Socket>> socket = TimedOut();
  for (const sockaddr_storage& address : *addresses) {
    socket = ConnectTo(address, deadline);
    if (socket || socket.error().kind == StreamProblem::Kind::kTimeout) break;
  }
  return socket;
}

StreamResult<std::unique_ptr<Socket>> Socket::ConnectTo(const sockaddr_storage& address,
                                                        Deadline deadline) {
  const int fd = ::socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return Lost(errno);
  std::unique_ptr<Socket> socket(new Socket(fd));
  const int no_delay = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &no_delay, sizeof(no_delay));
  if (connect(fd, reinterpret_cast<const sockaddr*>(&address), LengthOf(address)) != 0) {
    if (errno != EINPROGRESS) return Lost(errno);
    RETURN_IF_ERROR(socket->WaitFor(POLLOUT, deadline));
    int error = 0;
    socklen_t length = sizeof(error);
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &length);
    if (error != 0) return Lost(error);
  }
  return socket;
}

Socket::~Socket() { close(fd_); }

StreamResult<void> Socket::WaitFor(short events, Deadline deadline) const {
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    if (left.count() <= 0) return TimedOut();
    pollfd waited{.fd = fd_, .events = events, .revents = 0};
    const auto wait = std::min<std::int64_t>(left.count(), std::numeric_limits<int>::max());
    const int ready = poll(&waited, 1, static_cast<int>(wait));
    // Errors and hang-ups show in what is done next.
    if (ready > 0) return {};
    if (ready < 0 && errno != EINTR) return Lost(errno);
  }
}

StreamResult<void> Socket::Write(std::string_view bytes, Deadline deadline) {
  while (!bytes.empty()) {
    const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    } else if (WouldBlock(errno)) {
      RETURN_IF_ERROR(WaitFor(POLLOUT, deadline));
    } else if (errno != EINTR) {
      return Lost(errno);
    }
  }
  return {};
}

StreamResult<std::size_t> Socket::Read(std::span<char> into, Deadline deadline) {
  for (;;) {
    // First, so that a server that never stops sending cannot outlast it.
    if (std::chrono::steady_clock::now() >= deadline) return TimedOut();
    const ssize_t received = recv(fd_, into.data(), into.size(), 0);
    if (received >= 0) return static_cast<std::size_t>(received);
    if (WouldBlock(errno)) {
      RETURN_IF_ERROR(WaitFor(POLLIN, deadline));
    } else if (errno != EINTR) {
      return Lost(errno);
    }
  }
}

bool Socket::IsQuiet() const {
  char byte = 0;
  return recv(fd_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && WouldBlock(errno);
}

}  // namespace stator
