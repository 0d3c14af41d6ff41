// A server on this machine that runs a script of the test for each connection, one after the other.
#ifndef STATOR_HTTP_TESTING_SCRIPTED_SERVER_H_
#define STATOR_HTTP_TESTING_SCRIPTED_SERVER_H_

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace stator::http {

// One accepted connection. Every wait ends after a few seconds, or when the peer is gone.
class Peer {
 public:
  explicit Peer(int fd) : fd_(fd) {
    const timeval patience{.tv_sec = 5, .tv_usec = 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
  }
  ~Peer() { close(fd_); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  int fd() const { return fd_; }
  // Reads up to and including `end`. False if the stream ends before.
  bool ReadUntil(std::string_view end) {
    received_.clear();
    char byte = 0;
    while (!received_.ends_with(end)) {
      if (recv(fd_, &byte, 1, 0) != 1) return false;
      received_.push_back(byte);
    }
    return true;
  }
  // Reads one request with a body of "{}".
  bool ReadRequest() { return ReadUntil("\r\n\r\n{}"); }
  // What was read last.
  const std::string& received() const { return received_; }
  // False if the peer takes no more.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  bool SendAnswer(std::string_view body) {
    return Send("HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" +
                std::string(body));
  }
  void WaitForEnd() {
    std::array<char, 65536> bytes;
    while (recv(fd_, bytes.data(), bytes.size(), 0) > 0) {
    }
  }

 private:
  const int fd_;
  std::string received_;
};

class ScriptedServer {
 public:
  using Script = std::function<void(Peer&)>;

  // The scripts of the connections, in the order in which they come.
  explicit ScriptedServer(std::vector<Script> scripts)
      : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)), scripts_(std::move(scripts)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t length = sizeof(address);
    bind(listener_, reinterpret_cast<sockaddr*>(&address), length);
    listen(listener_, 16);
    getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &length);
    port_ = ntohs(address.sin_port);
    thread_ = std::jthread([this] { Run(); });
  }
  ~ScriptedServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;

  std::string authority() const { return "127.0.0.1:" + std::to_string(port_); }
  int connections() const { return connections_; }

 private:
  void Run() {
    for (const Script& script : scripts_) {
      const int fd = accept(listener_, nullptr, nullptr);
      if (fd < 0) return;
      ++connections_;
      Peer peer(fd);
      script(peer);
    }
  }

  const int listener_;
  const std::vector<Script> scripts_;
  int port_ = 0;
  std::atomic<int> connections_ = 0;
  std::jthread thread_;
};

}  // namespace stator::http

#endif  // STATOR_HTTP_TESTING_SCRIPTED_SERVER_H_
