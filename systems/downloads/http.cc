#include "systems/downloads/http.h"

#include <fmt/format.h>
#include <httplib.h>

#include <chrono>
#include <thread>
#include <utility>

namespace stator::systems::downloads {
namespace {

constexpr auto kPatience = std::chrono::seconds(10);
constexpr std::size_t kRefusalMax = 200;
constexpr std::size_t kSlowPieces = 50;  // a second

// http://HOST:PORT and what follows it.
std::expected<std::pair<std::string, std::string>, std::string> SplitUrl(const std::string& url) {
  constexpr std::string_view kScheme = "http://";
  if (!url.starts_with(kScheme) || url.size() > 4096) {
    return std::unexpected("not an http:// address: " + url.substr(0, 100));
  }
  for (const char c : url) {
    if (c <= ' ' || c == '\x7f') return std::unexpected(std::string("an address with spaces"));
  }
  const std::size_t slash = url.find('/', kScheme.size());
  if (slash == std::string::npos) return std::pair(url, std::string("/"));
  return std::pair(url.substr(0, slash), url.substr(slash));
}

void SendSlowly(HttpAnswer answer, httplib::Response& response) {
  const auto body = std::make_shared<const std::string>(std::move(answer.body));
  const auto piece_max =
      std::max<std::size_t>(1, static_cast<std::size_t>(answer.bytes_per_second) / kSlowPieces);
  response.set_content_provider(
      body->size(), answer.type,
      [body, piece_max](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1000 / kSlowPieces));
        return sink.write(body->data() + offset, std::min(length, piece_max));
      });
}

}  // namespace

struct HttpServer::Impl {
  httplib::Server server;
  int port = 0;
  std::jthread listener;
};

std::expected<std::unique_ptr<HttpServer>, std::string> HttpServer::Start(int port,
                                                                          Handler handler) {
  auto impl = std::make_unique<Impl>();
  impl->server.set_tcp_nodelay(true);
  // A connection that is kept would hold one of the threads, and stopping would wait for it.
  impl->server.set_keep_alive_max_count(1);
  impl->server.set_payload_max_length(0);
  impl->server.Get(".*", [handler = std::move(handler)](const httplib::Request& request,
                                                        httplib::Response& response) {
    HttpQuestion question{.path = request.path, .parameters = {}};
    for (const auto& [name, value] : request.params) question.parameters.emplace(name, value);
    HttpAnswer answer = handler(question);
    response.status = answer.status;
    if (answer.bytes_per_second > 0 && !answer.body.empty()) {
      SendSlowly(std::move(answer), response);
    } else {
      response.set_content(std::move(answer.body), answer.type);
    }
  });
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

std::expected<HttpReply, std::string> HttpGet(const std::string& url, const HttpSink& sink) {
  const auto parts = SplitUrl(url);
  if (!parts) return std::unexpected(parts.error());
  httplib::Client client(parts->first);
  client.set_connection_timeout(kPatience);
  client.set_read_timeout(kPatience);
  client.set_follow_location(false);
  client.set_decompress(false);
  HttpReply reply;
  const auto result = client.Get(
      parts->second,
      [&](const httplib::Response& response) {
        reply.status = response.status;
        return true;
      },
      [&](const char* data, std::size_t length) {
        const std::string_view piece(data, length);
        if (reply.status == 200) return sink(piece);
        reply.refusal += piece.substr(0, kRefusalMax - std::min(kRefusalMax, reply.refusal.size()));
        return true;
      });
  if (!result) {
    return std::unexpected(
        fmt::format("GET {}: {}", parts->first, httplib::to_string(result.error())));
  }
  return reply;
}

std::expected<std::string, std::string> HttpText(const std::string& url, std::size_t bytes_max) {
  std::string text;
  const auto reply = HttpGet(url, [&](std::string_view piece) {
    if (text.size() + piece.size() > bytes_max) return false;
    text += piece;
    return true;
  });
  if (!reply) return std::unexpected(reply.error());
  if (reply->status != 200) {
    return std::unexpected(
        fmt::format("GET {}: {} {}", url.substr(0, url.find('?')), reply->status, reply->refusal));
  }
  return text;
}

}  // namespace stator::systems::downloads
