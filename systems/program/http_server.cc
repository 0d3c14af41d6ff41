#include "systems/program/http.h"

#include <fmt/format.h>
#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

namespace stator::systems {
namespace {

constexpr std::size_t kSlowPiecesPerSecond = 50;
constexpr std::size_t kPieceBytes = 128 << 10;

std::size_t BodyBytes(const HttpAnswer& answer) {
  return answer.content ? static_cast<std::size_t>(answer.content_bytes) : answer.body.size();
}

// Sends a body that is slow or made while it is sent.
void SendPieces(HttpAnswer answer, httplib::Response& response) {
  const std::int64_t speed = answer.bytes_per_second;
  const std::size_t piece_max =
      speed == 0 ? kPieceBytes
                 : std::max<std::size_t>(1, static_cast<std::size_t>(speed) / kSlowPiecesPerSecond);
  const auto size = BodyBytes(answer);
  auto read = std::move(answer.content);
  if (!read) {
    read = [body = std::move(answer.body)](std::int64_t offset, std::size_t count) {
      return body.substr(static_cast<std::size_t>(offset), count);
    };
  }
  response.set_content_provider(
      size, answer.type,
      [read = std::move(read), speed, piece_max](std::size_t offset, std::size_t length,
                                                 httplib::DataSink& sink) {
        if (speed > 0) {
          std::this_thread::sleep_for(std::chrono::milliseconds(1000 / kSlowPiecesPerSecond));
        }
        const std::string piece =
            read(static_cast<std::int64_t>(offset), std::min(length, piece_max));
        return !piece.empty() && sink.write(piece.data(), piece.size());
      });
}

// One range, which begins within the body.
bool HasRange(const httplib::Ranges& ranges, std::size_t body_bytes) {
  const auto size = static_cast<ssize_t>(body_bytes);
  const auto [first, last] = ranges.front();
  return ranges.size() == 1 && first >= 0 && first < size &&
         (last < 0 || (first <= last && last < size));
}

void Answer(const HttpServer::Handler& handler, const httplib::Request& request,
            httplib::Response& response) {
  HttpRequest asked{.path = request.path,
                    .parameters = {request.params.begin(), request.params.end()},
                    .headers = {request.headers.begin(), request.headers.end()},
                    .body = request.body};
  HttpAnswer answer = handler(asked);
  response.status = answer.status;
  if (answer.status == 200 && !request.ranges.empty()) {
    // The library cuts the range out of the body, and believes that it is there.
    response.status = HasRange(request.ranges, BodyBytes(answer)) ? 206 : 416;
    if (response.status == 416) return;
  }
  if (BodyBytes(answer) > 0 && (answer.bytes_per_second > 0 || answer.content)) {
    SendPieces(std::move(answer), response);
  } else {
    response.set_content(std::move(answer.body), answer.type);
  }
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

}  // namespace stator::systems
