// The little HTTP that systems speak: a server for GET and POST, and a client.
#ifndef STATOR_SYSTEMS_PROGRAM_HTTP_H_
#define STATOR_SYSTEMS_PROGRAM_HTTP_H_

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "systems/program/fallible.h"

namespace stator::systems {

struct HttpRequest {
  std::string path;                               // "/files/accounts-2026-02-28"
  std::map<std::string, std::string> parameters;  // of the query
  std::multimap<std::string, std::string> headers;
};

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::int64_t bytes_per_second = 0;  // sent no faster than this; 0: at once
};

// Answers GET and POST requests on 127.0.0.1, several at a time.
class HttpServer {
 public:
  using Handler = std::function<HttpAnswer(const HttpRequest& request)>;
  // Port 0 is any free one. Listens when this returns.
  static Fallible<std::unique_ptr<HttpServer>> Start(int port, Handler handler);
  // Stops and waits.
  ~HttpServer();

  std::string url() const;  // "http://127.0.0.1:4711"

 private:
  struct Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

struct HttpReply {
  int status = 0;
  std::string body;  // of HttpGet only the beginning, and only of other answers than 200
};

// GET of http://HOST:PORT/PATH; follows no redirects. `sink` takes the body of a 200 piece by
// piece, and stops the transfer with false. Fails if no whole answer came.
Fallible<HttpReply> HttpGet(const std::string& url,
                            const std::function<bool(std::string_view piece)>& sink);
// The whole body of a 200, at most `bytes_max`.
Fallible<std::string> HttpText(const std::string& url, std::size_t bytes_max);

struct HttpFailure {
  std::string message;
  bool may_have_arrived =
      false;  // the receiver may have got the request; only the answer is missing
};

// Sends POST requests of JSON to one address, over a connection that is kept.
class HttpPoster {
 public:
  // The time that a request can take until Post returns.
  static constexpr std::chrono::seconds kTimeout{13};

  // http://HOST:PORT/PATH or https://…
  static Fallible<std::unique_ptr<HttpPoster>> Open(const std::string& url);
  ~HttpPoster();

  std::expected<HttpReply, HttpFailure> Post(const std::string& body,
                                             const std::string& idempotency_key);

 private:
  struct Impl;
  explicit HttpPoster(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_HTTP_H_
