// Sends HTTP requests to one server over connections that are kept, by means of libcurl.
#ifndef STATOR_HTTP_TRANSPORT_H_
#define STATOR_HTTP_TRANSPORT_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/url.h"

namespace stator::http {

struct Request {
  enum class Method : std::uint8_t { kGet, kPost };

  Method method = Method::kPost;
  std::string path = "/";
  std::vector<std::string> headers;  // "name: value"; Host and Content-Length are added if absent
  std::string_view body;             // of a POST
};

struct Response {
  int status = 0;
  std::string head;  // the header lines as they came, "name: value\r\n" each
  std::string body;  // as it came: nothing is decompressed

  // The value of the first header of that name, in any case, without the blanks around it.
  std::optional<std::string_view> Header(std::string_view name) const;
};

struct TransportFailure {
  std::string message;  // for people
  // False if the next attempt would fail as well: the server's certificate is not trusted.
  bool is_retryable = true;
};

// The seam between what a client says and how it gets there. Thread-safe.
class Transport {
 public:
  virtual ~Transport() = default;
  // Any status is a response. A failure after the request was sent leaves open whether the server
  // has carried it out.
  virtual std::expected<Response, TransportFailure> Exchange(const Request& request) = 0;
};

struct ResponseLimits {
  std::size_t head_bytes = std::size_t{64} << 10;  // interim responses and trailers included
  std::size_t body_bytes = std::size_t{64} << 20;
};

struct TransportOptions {
  Url url;
  std::string ca_file;  // certificates to trust; empty: the system's
  // Name lookup, TCP, proxy and TLS.
  std::chrono::milliseconds connect_timeout = std::chrono::seconds(3);
  // From the first byte sent to the last one received; also the longest wait for a connection.
  std::chrono::milliseconds request_timeout = std::chrono::seconds(30);
  std::size_t max_connections = 1;  // further requests wait for one
  ResponseLimits limits;
};

// Speaks HTTP/1.1, and HTTP/2 to a TLS server that offers it. Follows no redirects. Goes through the
// proxy that http_proxy, https_proxy, all_proxy and no_proxy name, except to a loopback address.
//
// A kept connection that the server has closed is replaced at once, and the request sent again, if
// nothing of a response had come.
//
// Fails with a message for people if ca_file cannot be read. Connects to nobody yet.
std::expected<std::unique_ptr<Transport>, std::string> OpenTransport(TransportOptions options);

}  // namespace stator::http

#endif  // STATOR_HTTP_TRANSPORT_H_
