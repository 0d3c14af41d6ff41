// Finds where an answer ends: status line and Content-Length, nothing else.
#ifndef STATOR_BENCH_RESPONSE_READER_H_
#define STATOR_BENCH_RESPONSE_READER_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace stator::bench {

struct ResponseHead {
  int status = 0;
  std::size_t head_bytes = 0;
  std::size_t body_bytes = 0;
  bool keep_alive = true;
};

enum class HeadProblem : std::uint8_t { kIncomplete, kBroken };

// Reads the head at the front of `bytes`. Broken: not HTTP/1.x, or without a Content-Length.
std::expected<ResponseHead, HeadProblem> ReadHead(std::string_view bytes);

// Takes the bytes of one answer as they come.
class ResponseReader {
 public:
  enum class State : std::uint8_t { kMore, kDone, kBroken };

  // Makes it ready for the next answer. With `keep_body` the body is kept whatever the status is.
  void Begin(bool keep_body);
  // Bytes beyond the end of the answer are a broken answer: nothing else was asked for.
  State Take(std::string_view bytes);

  // After kDone.
  const ResponseHead& head() const { return head_; }
  // Of an answer other than 200, or with keep_body.
  const std::string& body() const { return body_; }

 private:
  State TakeBody(std::string_view bytes);

  bool keep_body_ = false;
  bool in_body_ = false;
  std::string head_bytes_;  // only of a head that came in pieces
  ResponseHead head_;
  std::size_t missing_bytes_ = 0;
  std::string body_;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_RESPONSE_READER_H_
