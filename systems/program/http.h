// The HTTP that systems speak: a client for http:// and https:// on libcurl, and a small server for
// GET and POST.
#ifndef STATOR_SYSTEMS_PROGRAM_HTTP_H_
#define STATOR_SYSTEMS_PROGRAM_HTTP_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "systems/program/fallible.h"
#include "systems/program/url.h"

namespace stator::systems {

// --- the client

struct HttpCall {
  std::string url;                        // http:// or https://, at most kUrlMax bytes
  std::optional<std::string> body = {};   // a POST of this; none: a GET
  std::vector<std::string> headers = {};  // "Name: value"
  std::chrono::milliseconds timeout = std::chrono::seconds(30);  // for everything
  std::size_t bytes_max = std::size_t{16} << 20;                 // of the answer's body
  std::string ca_file = {};                                      // PEM; empty: the system's
  std::chrono::milliseconds silence_max = {};  // without a byte; 0: no limit but the timeout
  int redirects_max = 0;                       // of a GET; to addresses of the same scheme only
  std::int64_t offset = 0;  // asks for the bytes from here on; look at the status: it may be 200
};

struct HttpReply {
  int status = 0;
  std::string body;
  std::multimap<std::string, std::string> headers = {};  // names in lower case

  // The first of that name, in lower case; empty if there is none.
  std::string Header(const std::string& name) const;
};

// "Content-Range: bytes 100-199/200". nullopt if there is none or it makes no sense.
struct HttpRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::optional<std::int64_t> total;
};
std::optional<HttpRange> ContentRange(const HttpReply& reply);

struct HttpFailure {
  std::string message;            // for people; names the host, not the query
  bool may_have_arrived = false;  // the request may have got there; only the answer is missing
  bool is_lasting =
      false;  // trying again cannot help: the address, certificate or redirect is wrong
};

// Sends one request and returns the answer, whatever its status. Certificates are always verified,
// with TLS 1.2 at least. An answer that is longer than bytes_max, or shorter than it says, is a
// failure. Goes through the proxy of the environment, except to this machine.
Fallible<HttpReply> HttpSend(const HttpCall& call);

// The body of a 200; every other status is an error that says so.
Fallible<std::string> HttpText(const HttpCall& call);

// Takes an answer while it comes. Each function stops the transfer with false, which makes it a
// failure; the receiver knows why.
struct HttpReceiver {
  std::function<bool(const HttpReply& head)> begin;       // any status; the body is still empty
  std::function<bool(std::string_view piece)> take = {};  // of a 200 or a 206
};
// The body of other answers is in the reply, cut off after some hundred bytes.
std::expected<HttpReply, HttpFailure> HttpReceive(const HttpCall& call,
                                                  const HttpReceiver& receiver);

// Sends POST requests of JSON to one address, over a connection that is kept.
class HttpPoster {
 public:
  // The time that a request can take until Post returns.
  static constexpr std::chrono::seconds kTimeout{13};

  // http://HOST:PORT/PATH or https://…
  static Fallible<std::unique_ptr<HttpPoster>> Open(const std::string& url,
                                                    const std::string& ca_file = {});
  ~HttpPoster();

  std::expected<HttpReply, HttpFailure> Post(const std::string& body,
                                             const std::string& idempotency_key);

 private:
  struct Impl;
  explicit HttpPoster(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// --- the server

struct HttpRequest {
  std::string path;                               // "/files/accounts-2026-02-28"
  std::map<std::string, std::string> parameters;  // of the query
  std::multimap<std::string, std::string> headers;
  std::string body = {};
};

struct HttpAnswer {
  int status = 200;
  std::string type = "application/json";
  std::string body;
  std::int64_t bytes_per_second = 0;  // sent no faster than this; 0: at once
  // Instead of `body`: gives at most `count` bytes from an offset on, in order; empty: cannot.
  std::function<std::string(std::int64_t offset, std::size_t count)> content = {};
  std::int64_t content_bytes = 0;
};

// Answers GET and POST requests on 127.0.0.1, several at a time. A client may ask for a range of a
// body, and gets it.
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

}  // namespace stator::systems

#endif  // STATOR_SYSTEMS_PROGRAM_HTTP_H_
