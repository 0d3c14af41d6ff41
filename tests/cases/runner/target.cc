#include "tests/cases/runner/target.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "server/request_handler.h"
#include "server/server.h"

namespace stator::cases {
namespace {

// One connection to a server on this machine; just enough HTTP to call DynamoDB operations.
struct HttpAnswer {
  int status = 0;
  std::string body;
};

class HttpClient {
 public:
  HttpClient() = default;
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  bool Connect(std::uint16_t port);
  // The error is for people: the connection broke, or what came back is not HTTP.
  std::expected<HttpAnswer, std::string> Post(std::string_view operation, std::string_view body);
  // For the server's own paths.
  std::expected<HttpAnswer, std::string> PostJson(std::string_view path, std::string_view body);

 private:
  std::expected<HttpAnswer, std::string> Ask(std::string_view head, std::string_view body);
  bool Send(std::string_view bytes);
  bool Receive(std::string& into);

  int socket_ = -1;
};

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

class EmbeddedTarget final : public Target {
 public:
  explicit EmbeddedTarget(std::unique_ptr<Database> database) : Target(std::move(database)) {}

  Database::Answer Call(std::string_view operation, std::string_view body) override {
    auto answer = database().Execute(operation, body);
    if (!answer) return Database::ErrorAnswer(answer.error());
    return {.http_status = 200, .body = *std::move(answer), .error_name = {}};
  }

  std::expected<void, std::string> Advance(std::chrono::milliseconds by) override {
    if (!database().clock().Advance(by)) return std::unexpected("the clock cannot go there");
    return {};
  }
};

class HttpTarget final : public Target {
 public:
  explicit HttpTarget(std::unique_ptr<Database> database)
      : Target(std::move(database)), handler_(Target::database()) {}

  // Empty when the server answers.
  std::string Start() {
    server::ServerOptions options;
    options.port = 0;
    options.threads = 1;
    options.accept_unsigned = true;
    auto started = server::Server::Start(options, handler_);
    if (!started) return started.error();
    server_ = *std::move(started);
    return client_.Connect(server_->port()) ? "" : "cannot connect to the server";
  }

  Database::Answer Call(std::string_view operation, std::string_view body) override {
    auto answer = client_.Post(operation, body);
    if (!answer) return {.http_status = 0, .body = answer.error(), .error_name = {}};
    return {.http_status = answer->status, .body = std::move(answer->body), .error_name = {}};
  }

  std::expected<void, std::string> Advance(std::chrono::milliseconds by) override {
    const double seconds = std::chrono::duration<double>(by).count();
    const auto answer = client_.PostJson("/_stator/clock",
                                         fmt::format(R"({{"advance_seconds": {:.3f}}})", seconds));
    if (!answer) return std::unexpected(answer.error());
    if (answer->status != 200) return std::unexpected(answer->body);
    return {};
  }

 private:
  server::DatabaseHandler handler_;
  std::unique_ptr<server::Server> server_;
  HttpClient client_;  // closed before the server stops, which waits for its connections
};

}  // namespace

std::expected<std::unique_ptr<Target>, std::string> Target::Open(const TargetOptions& options) {
  DatabaseOptions database_options;
  database_options.directory = options.directory.string();
  database_options.store = options.store;
  database_options.classic_wording = options.classic_wording;
  database_options.clock = options.clock;
  database_options.s3_root = options.buckets.string();
  auto database = Database::Open(database_options);
  if (!database) return std::unexpected(database.error().message());
  if (!options.http) return std::make_unique<EmbeddedTarget>(*std::move(database));
  auto target = std::make_unique<HttpTarget>(*std::move(database));
  if (auto problem = target->Start(); !problem.empty()) return std::unexpected(problem);
  return target;
}
}  // namespace stator::cases
