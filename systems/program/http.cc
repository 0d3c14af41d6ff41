#include "systems/program/http.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace stator::systems {
namespace {

constexpr std::chrono::seconds kConnectTimeout(3);
constexpr std::chrono::seconds kAnswerTimeout(10);
static_assert(kConnectTimeout + kAnswerTimeout == HttpPoster::kTimeout);
constexpr std::size_t kUrlMax = 4096;
constexpr std::size_t kRefusalMax = 200;
constexpr std::size_t kPostedAnswerMax = 64 << 10;
constexpr std::size_t kSlowPiecesPerSecond = 50;

struct Address {
  std::string host;  // http://HOST:PORT
  std::string path;
};

Fallible<Address> ParseAddress(const std::string& url) {
  const bool is_http = url.starts_with("http://") || url.starts_with("https://");
  const bool is_clean = std::ranges::none_of(
      url, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '\x7f'; });
  if (!is_http || !is_clean || url.size() > kUrlMax) {
    return std::unexpected(url.substr(0, 100) +
                           " is not an address like http://127.0.0.1:9000/calls");
  }
  const std::size_t slash = url.find('/', url.find("://") + 3);
  if (slash == std::string::npos) return Address{url, "/"};
  return Address{url.substr(0, slash), url.substr(slash)};
}

void SendSlowly(HttpAnswer answer, httplib::Response& response) {
  const auto body = std::make_shared<const std::string>(std::move(answer.body));
  const auto piece_max = std::max<std::size_t>(
      1, static_cast<std::size_t>(answer.bytes_per_second) / kSlowPiecesPerSecond);
  response.set_content_provider(
      body->size(), answer.type,
      [body, piece_max](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1000 / kSlowPiecesPerSecond));
        return sink.write(body->data() + offset, std::min(length, piece_max));
      });
}

void Answer(const HttpServer::Handler& handler, const httplib::Request& request,
            httplib::Response& response) {
  HttpRequest asked{.path = request.path,
                    .parameters = {request.params.begin(), request.params.end()},
                    .headers = {request.headers.begin(), request.headers.end()}};
  HttpAnswer answer = handler(asked);
  response.status = answer.status;
  if (answer.bytes_per_second > 0 && !answer.body.empty()) {
    SendSlowly(std::move(answer), response);
  } else {
    response.set_content(std::move(answer.body), answer.type);
  }
}

// The request may have reached the receiver although no answer came.
bool MayHaveArrived(httplib::Error error) {
  return error == httplib::Error::Read || error == httplib::Error::Write ||
         error == httplib::Error::Canceled || error == httplib::Error::Unknown;
}

}  // namespace

struct HttpServer::Impl {
  httplib::Server server;
  int port = 0;
  std::jthread listener;
};

Fallible<std::unique_ptr<HttpServer>> HttpServer::Start(int port, Handler handler) {
  auto impl = std::make_unique<Impl>();
  impl->server.set_tcp_nodelay(true);
  // A connection that is kept would hold one of the threads, and stopping would wait for it.
  impl->server.set_keep_alive_max_count(1);
  impl->server.set_payload_max_length(1 << 20);
  const auto answer = [handler = std::move(handler)](const httplib::Request& request,
                                                     httplib::Response& response) {
    Answer(handler, request, response);
  };
  impl->server.Get(".*", answer);
  impl->server.Post(".*", answer);
  impl->port = port;
  const bool bound = port == 0 ? (impl->port = impl->server.bind_to_any_port("127.0.0.1")) > 0
                               : impl->server.bind_to_port("127.0.0.1", port);
  if (!bound) return std::unexpected(fmt::format("cannot listen on 127.0.0.1:{}", port));
  impl->listener =
      std::jthread([server = &impl->server] { std::ignore = server->listen_after_bind(); });
  // A server that does not run yet cannot be stopped.
  while (!impl->server.is_running()) std::this_thread::yield();
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() { impl_->server.stop(); }

std::string HttpServer::url() const { return fmt::format("http://127.0.0.1:{}", impl_->port); }

Fallible<HttpReply> HttpGet(const std::string& url,
                            const std::function<bool(std::string_view piece)>& sink) {
  TRY(const Address address, ParseAddress(url));
  httplib::Client client(address.host);
  client.set_connection_timeout(kAnswerTimeout);
  client.set_read_timeout(kAnswerTimeout);
  client.set_follow_location(false);
  client.set_decompress(false);
  HttpReply reply;
  const auto result = client.Get(
      address.path,
      [&](const httplib::Response& response) {
        reply.status = response.status;
        return true;
      },
      [&](const char* data, std::size_t length) {
        const std::string_view piece(data, length);
        if (reply.status == 200) return sink(piece);
        reply.body += piece.substr(0, kRefusalMax - std::min(kRefusalMax, reply.body.size()));
        return true;
      });
  if (!result) {
    return std::unexpected(
        fmt::format("GET {}: {}", address.host, httplib::to_string(result.error())));
  }
  return reply;
}

Fallible<std::string> HttpText(const std::string& url, std::size_t bytes_max) {
  std::string text;
  TRY(const HttpReply reply, HttpGet(url, [&](std::string_view piece) {
        if (text.size() + piece.size() > bytes_max) return false;
        text += piece;
        return true;
      }));
  if (reply.status != 200) {
    return std::unexpected(
        fmt::format("GET {}: {} {}", url.substr(0, url.find('?')), reply.status, reply.body));
  }
  return text;
}

struct HttpPoster::Impl {
  explicit Impl(const Address& address) : client(address.host), path(address.path) {
    client.set_connection_timeout(kConnectTimeout);
    client.set_read_timeout(kAnswerTimeout);
    client.set_write_timeout(kAnswerTimeout);
    client.set_keep_alive(true);
    // Head and body are two writes: the body would wait for the receiver's delayed acknowledgement.
    client.set_tcp_nodelay(true);
  }
  httplib::Client client;
  std::string path;
};

Fallible<std::unique_ptr<HttpPoster>> HttpPoster::Open(const std::string& url) {
  TRY(const Address address, ParseAddress(url));
  auto impl = std::make_unique<Impl>(address);
  if (!impl->client.is_valid())
    return std::unexpected(url + " is not an address that can be reached");
  return std::unique_ptr<HttpPoster>(new HttpPoster(std::move(impl)));
}

HttpPoster::HttpPoster(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HttpPoster::~HttpPoster() = default;

std::expected<HttpReply, HttpFailure> HttpPoster::Post(const std::string& body,
                                                       const std::string& idempotency_key) {
  httplib::Request request;
  request.method = "POST";
  request.path = impl_->path;
  request.headers.emplace("Content-Type", "application/json");
  request.headers.emplace("Idempotency-Key", idempotency_key);
  request.body = body;
  HttpReply reply;
  request.content_receiver = [&](const char* bytes, std::size_t size, std::uint64_t,
                                 std::uint64_t) {
    reply.body.append(bytes, size);
    return reply.body.size() <= kPostedAnswerMax;
  };
  const httplib::Result result = impl_->client.send(request);
  if (!result) {
    return std::unexpected(HttpFailure{.message = httplib::to_string(result.error()),
                                       .may_have_arrived = MayHaveArrived(result.error())});
  }
  reply.status = result->status;
  return reply;
}

}  // namespace stator::systems
