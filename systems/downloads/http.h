// The little HTTP that the source and the downloaders speak with each other.
#ifndef STATOR_SYSTEMS_DOWNLOADS_HTTP_H_
#define STATOR_SYSTEMS_DOWNLOADS_HTTP_H_

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace stator::systems::downloads {

struct HttpQuestion {
  std::string path;  // "/files/accounts-2026-02-28"
  std::map<std::string, std::string> parameters;
};

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::int64_t bytes_per_second = 0;  // sent no faster than this; 0: at once
};

// Answers GET requests on 127.0.0.1, several at a time.
class HttpServer {
 public:
  using Handler = std::function<HttpAnswer(const HttpQuestion& question)>;
  // `port` 0: any that is free. Listens when this returns.
  static std::expected<std::unique_ptr<HttpServer>, std::string> Start(int port, Handler handler);
  // Stops and waits.
  ~HttpServer();

  std::string url() const;  // "http://127.0.0.1:4711"

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Takes the body of an answer of status 200 piece by piece; false stops the transfer.
using HttpSink = std::function<bool(std::string_view piece)>;

struct HttpReply {
  int status = 0;
  std::string refusal;  // the beginning of the body of any other status than 200
};

// GET of http://HOST:PORT/PATH; follows no redirects. Fails if no whole answer came.
std::expected<HttpReply, std::string> HttpGet(const std::string& url, const HttpSink& sink);
// The whole body of a 200, at most `bytes_max`.
std::expected<std::string, std::string> HttpText(const std::string& url, std::size_t bytes_max);

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_HTTP_H_
