// A connection to a server as a stream of bytes: plain (socket.h) or with TLS (tls.h).
#ifndef STATOR_CLIENT_BYTE_STREAM_H_
#define STATOR_CLIENT_BYTE_STREAM_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace stator {

using Deadline = std::chrono::steady_clock::time_point;

struct StreamProblem {
  enum class Kind : std::uint8_t {
    kLost,       // refused, reset, unreachable
    kTimeout,    // the deadline is over
    kUntrusted,  // TLS: the server is not who it should be; trying again does not help
  };
  Kind kind = Kind::kLost;
  std::string message;
};

template <class T>
using StreamResult = std::expected<T, StreamProblem>;

// Of one thread at a time.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Writes all of it.
  virtual StreamResult<void> Write(std::string_view bytes, Deadline deadline) = 0;
  // At least one byte; 0 at the end of the stream.
  virtual StreamResult<std::size_t> Read(std::span<char> into, Deadline deadline) = 0;
  // True if nothing has come since the last answer, not even the end. Does not wait.
  virtual bool IsQuiet() const = 0;
};

}  // namespace stator

#endif  // STATOR_CLIENT_BYTE_STREAM_H_
