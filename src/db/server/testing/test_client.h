// A client that says exactly what a test wants on the wire, and a server for it to talk to.
#ifndef STATOR_SERVER_TESTING_TEST_CLIENT_H_
#define STATOR_SERVER_TESTING_TEST_CLIENT_H_

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "server/server.h"
#include "server/testing/fake_handler.h"

namespace stator::server {

struct HttpAnswer {
  int status = 0;                              // 0: the connection ended instead
  std::map<std::string, std::string> headers;  // names in lower case
  std::string body;
};

inline constexpr std::string_view kSignature =
    "Authorization: AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host, Signature=0\r\n"
    "X-Amz-Date: 20260101T000000Z\r\n";

// A complete signed request.
inline std::string Post(std::string_view operation, std::string_view body,
                        std::string_view more_headers = {}) {
  std::string text = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  text.append("X-Amz-Target: DynamoDB_20120810.").append(operation).append("\r\n");
  text.append("Content-Type: application/x-amz-json-1.0\r\n").append(kSignature);
  text.append(more_headers);
  text.append("Content-Length: ").append(std::to_string(body.size())).append("\r\n\r\n");
  return text.append(body);
}

class TestClient {
 public:
  explicit TestClient(std::uint16_t port) : fd_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{.tv_sec = 20, .tv_usec = 0};
    setsockopt(fd_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    setsockopt(fd_, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~TestClient() { close(fd_); }
  TestClient(const TestClient&) = delete;
  TestClient& operator=(const TestClient&) = delete;

  bool connected() const { return connected_; }

  // False if the server no longer takes bytes.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  void EndSending() { shutdown(fd_, SHUT_WR); }
  // Vanishes with a reset instead of an orderly end.
  void Reset() {
    const linger at_once{.l_onoff = 1, .l_linger = 0};
    setsockopt(fd_, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    close(std::exchange(fd_, -1));
  }
  void SetReceiveBuffer(int bytes) {
    setsockopt(fd_, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
  }

  HttpAnswer Read(bool head_only = false) {
    HttpAnswer answer;
    std::size_t head_end = 0;
    while ((head_end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!Fill()) return answer;
    }
    ParseHead(buffer_.substr(0, head_end + 2), answer);
    buffer_.erase(0, head_end + 4);
    if (head_only) return answer;
    if (answer.headers.contains("transfer-encoding")) {
      ReadChunks(answer);
    } else if (answer.headers.contains("content-length")) {
      const std::size_t length = std::stoul(answer.headers["content-length"]);
      while (buffer_.size() < length) {
        if (!Fill()) return {};
      }
      answer.body = buffer_.substr(0, length);
      buffer_.erase(0, length);
    }
    return answer;
  }
  HttpAnswer Ask(std::string_view request) {
    Send(request);
    return Read();
  }
  // Takes what there is, up to so many bytes; 0 at the end.
  std::size_t Take(std::size_t bytes_max) {
    std::string bytes(bytes_max, '\0');
    const ssize_t count = recv(fd_, bytes.data(), bytes.size(), 0);
    return static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  }
  // True if the server ends the connection without a further byte.
  bool AtEnd() { return buffer_.empty() && !Fill() && ended_; }

 private:
  bool Fill() {
    char bytes[16384];
    const ssize_t count = recv(fd_, bytes, sizeof(bytes), 0);
    ended_ = count == 0;
    if (count <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(count));
    return true;
  }

  static void ParseHead(const std::string& head, HttpAnswer& answer) {
    answer.status = std::stoi(head.substr(9, 3));
    std::size_t line = head.find("\r\n") + 2;
    while (line < head.size()) {
      const std::size_t end = head.find("\r\n", line);
      const std::size_t colon = head.find(": ", line);
      std::string name = head.substr(line, colon - line);
      std::ranges::transform(name, name.begin(),
                             [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
      answer.headers[name] = head.substr(colon + 2, end - colon - 2);
      line = end + 2;
    }
  }

  // Only the empty chunked body that a 413 has.
  void ReadChunks(HttpAnswer& answer) {
    while (buffer_.find("\r\n\r\n") == std::string::npos) {
      if (!Fill()) return;
    }
    const std::size_t end = buffer_.find("\r\n\r\n");
    answer.body = buffer_.substr(0, end) == "0" ? "" : buffer_.substr(0, end);
    buffer_.erase(0, end + 4);
  }

  int fd_;
  bool connected_ = false;
  bool ended_ = false;
  std::string buffer_;
};

// A server in front of a FakeHandler.
class ServerTest : public ::testing::Test {
 protected:
  ~ServerTest() override {
    server_.reset();
    // Answers that come after the server has gone must do no harm.
    while (handler_.WaitingCount() > 0) handler_.Complete(0);
  }

  void StartServer(ServerOptions options = {}) {
    options.port = 0;
    if (options.threads == 0) options.threads = 2;
    auto started = Server::Start(std::move(options), handler_);
    ASSERT_TRUE(started) << started.error();
    server_ = *std::move(started);
  }
  std::uint16_t port() const { return server_->port(); }

  FakeHandler handler_;
  std::unique_ptr<Server> server_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_TESTING_TEST_CLIENT_H_
