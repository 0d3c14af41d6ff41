// Turns an answer into the bytes that go out, and counts and logs it.
#ifndef STATOR_SERVER_RESPONDER_H_
#define STATOR_SERVER_RESPONDER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "server/exchange.h"
#include "server/gzip.h"
#include "server/metrics.h"

namespace stator::server {

// "Sat, 31 Jan 2026 12:00:00 GMT", formatted once per second. Not thread-safe.
class HttpDate {
 public:
  std::string_view At(std::time_t now);

 private:
  std::time_t second_ = -1;
  std::string text_;
};

// 52 characters [0-9A-V] as DynamoDB sends them: 26 random ones and a constant. Not thread-safe.
class RequestIds {
 public:
  RequestIds();
  std::array<char, kRequestIdLength> Next();

 private:
  std::mt19937_64 random_;  // unique, not secret
};

struct ResponseHead {
  int status = 200;
  ContentType content_type = ContentType::kNone;
  std::size_t content_length = 0;
  std::uint32_t crc32 = 0;
  Coding coding = Coding::kIdentity;
  bool keep_alive = true;
  std::string_view date;
  std::string_view request_id;
  std::string_view extra_headers;  // whole lines
};

void AppendResponseHead(std::string& out, const ResponseHead& head);

// The whole 413 answer: DynamoDB sends it chunked, empty and without a request id.
std::string TooLargeResponse(int http_minor, std::string_view date);

// Compresses the answer if it is large and its client accepts that.
void PackIfWanted(Exchange& exchange, Gzip& gzip);

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
