// Turns an answer into the bytes that go out, and counts and logs it.
#ifndef STATOR_SERVER_RESPONDER_H_
#define STATOR_SERVER_RESPONDER_H_

#include "server/exchange.h"
#include "server/gzip.h"
#include "server/metrics.h"
#include "server/response.h"

namespace stator::server {

// One for each loop; not thread-safe.
class Responder {
 public:
  explicit Responder(Gzip& gzip) : gzip_(gzip) {}

  // Reads exchange.answer; leaves what is to be sent in response_head and answer.body.
  void Finish(Exchange& exchange);

 private:
  void Compose(Exchange& exchange);
  void Record(const Exchange& exchange, std::size_t answer_bytes) const;

  Gzip& gzip_;
  HttpDate date_;
  RequestIds request_ids_;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_RESPONDER_H_
