// The head of an answer: status line and headers.
#ifndef STATOR_SERVER_RESPONSE_H_
#define STATOR_SERVER_RESPONSE_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "server/exchange.h"

namespace stator::server {

// "Sat, 31 Jan 2026 12:00:00 GMT", made once a second. Not thread-safe.
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
  bool gzip = false;
  bool keep_alive = true;
  std::string_view date;
  std::string_view request_id;
  std::string_view extra_headers;  // whole lines
};

void AppendResponseHead(std::string& out, const ResponseHead& head);

// The whole 413 answer: DynamoDB sends it chunked, empty and without a request id.
std::string TooLargeResponse(int http_minor, std::string_view date);

}  // namespace stator::server

#endif  // STATOR_SERVER_RESPONSE_H_
