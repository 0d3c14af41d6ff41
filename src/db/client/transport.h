// Bytes of a request out, an HTTP answer back.
#ifndef STATOR_CLIENT_TRANSPORT_H_
#define STATOR_CLIENT_TRANSPORT_H_

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <expected>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/byte_stream.h"
#include "client/tls.h"
#include "http/response_parser.h"
#include "http/url.h"

namespace stator {

struct TransportFailure {
  std::string message;  // for people
  bool is_retryable = true;
};

// The seam between what a client says and how it gets there. Thread-safe.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual std::expected<http::Response, TransportFailure> Exchange(std::string_view request) = 0;
};

struct HttpTransportOptions {
  http::Url url;
  std::optional<TlsContext> tls;  // REQUIRES: there, if url.is_tls
  std::chrono::milliseconds connect_timeout;
  std::chrono::milliseconds request_timeout;
  std::size_t max_connections;
  http::ResponseLimits limits;
};

// Keeps connections. The one used last is used next, so that those that are not needed grow old and
// are closed by the server.
class HttpTransport final : public Transport {
 public:
  explicit HttpTransport(HttpTransportOptions options);

  std::expected<http::Response, TransportFailure> Exchange(std::string_view request) override;

 private:
  // A place among max_connections, with a connection or still without.
  class Lease;
  struct Outcome {
    std::expected<http::Response, TransportFailure> answer;
    bool was_stale = false;  // a kept connection that was gone before anything came back
  };

  StreamResult<std::unique_ptr<ByteStream>> Connect() const;
  Outcome ExchangeOn(Lease& lease, std::string_view request, Deadline deadline) const;
  bool TakePlace(Deadline deadline);
  std::unique_ptr<ByteStream> TakeIdle();
  void GiveBack(std::unique_ptr<ByteStream> stream);

  const HttpTransportOptions options_;
  std::mutex mutex_;
  std::condition_variable place_freed_;
  std::size_t places_taken_ = 0;
  std::vector<std::unique_ptr<ByteStream>> idle_;  // the last one used is the last
};

}  // namespace stator

#endif  // STATOR_CLIENT_TRANSPORT_H_
