// One request and its answer, from the first byte read to the last byte written.
//
// An exchange is filled by the parser, handed to the handler, which may finish it on another
// thread, and then written by its connection. It outlives the connection if the peer vanishes
// meanwhile: the handler still reads the body.
#ifndef STATOR_SERVER_EXCHANGE_H_
#define STATOR_SERVER_EXCHANGE_H_

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "server/padded_buffer.h"
#include "server/request_handler.h"
#include "server/request_head.h"

namespace stator::server {

class Connection;
class OperationMetrics;

inline constexpr std::size_t kRequestIdLength = 52;

enum class ContentType : std::uint8_t { kNone, kAmzJson, kJson, kMetrics };

struct Exchange {
  // The request.
  RequestHead head;
  PaddedBuffer body;
  std::uint8_t method = 0;  // an llhttp_method
  std::uint8_t http_minor = 1;
  bool keep_alive = true;
  std::size_t wire_byte_count = 0;
  std::size_t charged_byte_count = 0;  // of the connection's bound on bytes in flight
  std::chrono::steady_clock::time_point started_at;
  std::string_view operation;           // of `head`, or "unknown"
  OperationMetrics* metrics = nullptr;  // null: not counted by operation
  std::array<char, kRequestIdLength> request_id{};

  // The answer. Written by whoever runs the handler's callback, then read by the loop's thread.
  RequestHandler::Answer answer;
  ContentType content_type = ContentType::kNone;
  std::string extra_headers;  // whole lines

  // What goes out: response_head, then answer.body.
  std::string response_head;
  bool ready = false;

  // Touched by the loop's thread only, whoever holds the exchange.
  Connection* connection = nullptr;  // null once the connection is gone
  Exchange* next = nullptr;          // in its connection's order of answers
  Exchange* queue_next = nullptr;    // in the queue of completions

  std::size_t OutputByteCount() const { return response_head.size() + answer.body.size(); }
  // As new, but keeps a little memory.
  void Recycle();
};

// Spare exchanges of one loop. Not thread-safe.
class ExchangePool {
 public:
  std::unique_ptr<Exchange> Take();
  void Give(std::unique_ptr<Exchange> exchange);

 private:
  std::vector<std::unique_ptr<Exchange>> spare_;
};

// Exchanges in the order in which their answers must go out. Does not own them.
class ExchangeList {
 public:
  bool empty() const { return first_ == nullptr; }
  Exchange* front() const { return first_; }
  void PushBack(Exchange* exchange);
  Exchange* PopFront();  // REQUIRES: !empty()

 private:
  Exchange* first_ = nullptr;
  Exchange* last_ = nullptr;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_EXCHANGE_H_
