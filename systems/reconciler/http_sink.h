// Payloads as POST requests, one after the other, with retries.
//
// The header Idempotency-Key holds the payload's id: an answer can get lost, and then the same
// payload comes again, which the receiver can tell by it. An answer of 2xx means that it was taken;
// with a body of {"outcome": "RESOLVED"} also that the call has been mended. 400, 410 and 422
// refuse a payload for good. Everything else is tried again; an address where nobody answers is
// nobody's failed attempt.
#ifndef STATOR_SYSTEMS_RECONCILER_HTTP_SINK_H_
#define STATOR_SYSTEMS_RECONCILER_HTTP_SINK_H_

#include <functional>

#include "systems/reconciler/sink.h"

namespace stator::systems::reconciler {

struct HttpSinkOptions {
  std::string url;
  int attempts = 5;  // of one payload, the first included
  std::chrono::milliseconds first_wait = std::chrono::milliseconds(200);  // doubles each time
  std::function<void(std::chrono::milliseconds)> wait = {};               // default: sleeps
};

class HttpSink final : public Sink {
 public:
  static std::expected<std::unique_ptr<Sink>, std::string> Open(HttpSinkOptions options);
  ~HttpSink() override;

  const std::string& name() const override { return options_.url; }
  std::size_t batch() const override { return 10; }
  // When one cannot be delivered those behind it are not tried.
  std::vector<Delivery> Deliver(const std::vector<Payload>& payloads,
                                std::chrono::steady_clock::time_point deadline) override;

 private:
  struct Connection;
  HttpSink(HttpSinkOptions options, std::unique_ptr<Connection> connection);
  Delivery DeliverOne(const Payload& payload, std::chrono::steady_clock::time_point deadline);

  HttpSinkOptions options_;
  std::unique_ptr<Connection> connection_;
};

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_HTTP_SINK_H_
