// One request and its answer, from the first byte read to the last byte written.
//
// An exchange is filled by the parser, handed to the handler, which may finish it on another thread,
// and then written by its connection. It outlives the connection if the peer vanishes meanwhile: the
// handler still reads the body.
#ifndef STATOR_SERVER_EXCHANGE_H_
#define STATOR_SERVER_EXCHANGE_H_

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http/headers.h"
#include "server/memory_budget.h"
#include "server/request_handler.h"

namespace stator::server {

// The request line and headers of one request, in one block of memory. Filled piece by piece as
// bytes arrive; Finish makes the views.
class RequestHead {
 public:
  void Clear();

  void AppendTarget(std::string_view piece);
  // A name piece after a value piece begins the next header.
  void AppendHeaderName(std::string_view piece);
  void AppendHeaderValue(std::string_view piece);
  // What follows is read and forgotten: trailers have no meaning here.
  void Finish();

  std::size_t byte_count() const { return bytes_.size(); }
  std::size_t target_byte_count() const { return target_size_; }
  std::size_t header_count() const { return spans_.size(); }

  // All below REQUIRE Finish. The views are valid until Clear.
  std::string_view target() const { return {bytes_.data(), target_size_}; }
  std::string_view path() const;   // of an absolute target too
  std::string_view query() const;  // without the question mark
  std::span<const http::HeaderField> headers() const { return headers_; }
  // The first header of that name.
  std::optional<std::string_view> Find(std::string_view name) const;
  std::size_t Count(std::string_view name) const;
  // The one that X-Amz-Target names; empty if it names none of ours.
  std::string_view Operation() const {
    return http::OperationOfTarget(Find("X-Amz-Target").value_or(""));
  }

 private:
  struct Span {
    std::uint32_t name_begin = 0;
    std::uint32_t value_begin = 0;
    std::uint32_t end = 0;
  };
  std::string bytes_;  // target, then name and value of each header
  std::size_t target_size_ = 0;
  bool in_value_ = true;
  std::vector<Span> spans_;
  std::vector<http::HeaderField> headers_;
};

// The bytes of a request body, followed by the readable padding that the JSON parser wants.
class PaddedBuffer {
 public:
  // Forgets the bytes, keeps the memory.
  void Clear() { size_ = 0; }
  // Gives the memory back.
  void Free();
  // Makes room for `bytes` in one piece.
  void Reserve(std::size_t bytes);
  void Append(std::string_view bytes);
  // Makes the buffer `bytes` long, for the caller to write into. The contents are undefined.
  char* Overwrite(std::size_t bytes);
  // REQUIRES: bytes <= size().
  void Truncate(std::size_t bytes) { size_ = bytes; }

  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  // Zeroes the padding and returns the bytes; valid until the next change.
  std::string_view Padded();

 private:
  struct FreeDeleter {
    void operator()(char* memory) const { std::free(memory); }
  };
  std::unique_ptr<char, FreeDeleter> memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;  // without the padding
};

class Connection;
class OperationMetrics;

inline constexpr std::size_t kRequestIdLength = 52;

enum class ContentType : std::uint8_t { kNone, kAmzJson, kJson, kMetrics };
// How a body is packed.
enum class Coding : std::uint8_t { kIdentity, kGzip, kDeflate };

struct Exchange {
  // The request.
  RequestHead head;
  PaddedBuffer body;
  std::uint8_t method = 0;  // an llhttp_method
  std::uint8_t http_minor = 1;
  bool keep_alive = true;
  std::size_t wire_byte_count = 0;
  bool is_packed = false;              // has a Content-Encoding
  std::size_t charged_byte_count = 0;  // what the request takes until it is answered
  MemoryCharge charge;                 // for that, unless it is little
  std::chrono::steady_clock::time_point started_at;
  std::string_view operation;           // of `head`, or "unknown"
  OperationMetrics* metrics = nullptr;  // null: not counted by operation
  std::array<char, kRequestIdLength> request_id{};

  // The answer. Written by the thread that runs the handler's callback, then read by the loop's.
  RequestHandler::Answer answer;
  Coding coding = Coding::kIdentity;  // of answer.body
  ContentType content_type = ContentType::kNone;
  std::string extra_headers;  // whole lines

  // What goes out: response_head, then answer.body.
  std::string response_head;
  bool ready = false;

  // True once the connection is gone; read by the thread that carries out the request.
  std::atomic<bool> unwanted = false;

  // Touched by the loop's thread only, even while a handler holds the exchange.
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
