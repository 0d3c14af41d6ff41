#include "http_client.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace stator::cases {
namespace {

int NumberAt(std::string_view text) {
  int number = -1;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

// Two services share the port.
std::string_view ServiceOf(std::string_view operation) {
  constexpr std::string_view kStreams[] = {"ListStreams", "DescribeStream", "GetShardIterator",
                                           "GetRecords"};
  return std::ranges::find(kStreams, operation) != std::end(kStreams) ? "DynamoDBStreams"
                                                                      : "DynamoDB";
}

}  // namespace

HttpClient::~HttpClient() {
  if (socket_ >= 0) close(socket_);
}

bool HttpClient::Connect(std::uint16_t port) {
  socket_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) return false;
  const int on = 1;
  setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  const timeval timeout{.tv_sec = 30, .tv_usec = 0};
  setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof timeout);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

std::expected<HttpAnswer, std::string> HttpClient::Post(std::string_view operation,
                                                        std::string_view body) {
  const std::string head = fmt::format(
      "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-amz-json-1.0\r\n"
      "X-Amz-Target: {}_20120810.{}\r\nContent-Length: {}\r\n\r\n",
      ServiceOf(operation), operation, body.size());
  return Ask(head, body);
}

std::expected<HttpAnswer, std::string> HttpClient::PostJson(std::string_view path,
                                                            std::string_view body) {
  const std::string head = fmt::format(
      "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\n\r\n",
      path, body.size());
  return Ask(head, body);
}

std::expected<HttpAnswer, std::string> HttpClient::Ask(std::string_view head,
                                                       std::string_view body) {
  if (!Send(head) || !Send(body)) return std::unexpected("the request cannot be sent");

  std::string received;
  std::size_t head_end = std::string::npos;
  while ((head_end = received.find("\r\n\r\n")) == std::string::npos) {
    if (!Receive(received)) return std::unexpected("the connection ended before an answer");
  }
  constexpr std::string_view kLengthField = "\r\nContent-Length: ";
  const auto length_field = received.find(kLengthField);
  if (!received.starts_with("HTTP/1.1 ") || length_field > head_end) {
    return std::unexpected("not an answer with a length: " + received.substr(0, head_end));
  }
  const int length =
      NumberAt(std::string_view(received).substr(length_field + kLengthField.size()));
  if (length < 0) return std::unexpected("the length of the answer is no number");
  const std::size_t body_start = head_end + 4;
  while (received.size() < body_start + static_cast<std::size_t>(length)) {
    if (!Receive(received)) return std::unexpected("the connection ended inside an answer");
  }
  return HttpAnswer{.status = NumberAt(std::string_view(received).substr(9)),
                    .body = received.substr(body_start)};
}

bool HttpClient::Send(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

bool HttpClient::Receive(std::string& into) {
  std::array<char, 65536> buffer;
  const ssize_t received = recv(socket_, buffer.data(), buffer.size(), 0);
  if (received <= 0) return false;
  into.append(buffer.data(), static_cast<std::size_t>(received));
  return true;
}

}  // namespace stator::cases
