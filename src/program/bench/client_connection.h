// One keep-alive connection of the load generator, and the reader of its answers.
#ifndef STATOR_BENCH_CLIENT_CONNECTION_H_
#define STATOR_BENCH_CLIENT_CONNECTION_H_

#include <uv.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "bench/client_loop.h"

namespace stator::bench {

// What is read of an answer's head: just enough to find its end.
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

// A keep-alive connection. Touched by its loop's thread only.
class ClientConnection {
 public:
  // Learns what happens. From OnAnswer and OnBroken any member of the connection may be called.
  class Owner {
   public:
    virtual ~Owner() = default;
    virtual void OnReady(ClientConnection& connection) = 0;
    virtual void OnAnswer(ClientConnection& connection, std::size_t byte_count) = 0;
    // Connecting failed, or the peer broke off or sent nonsense. The connection is closed.
    virtual void OnBroken(ClientConnection& connection, std::string_view reason) = 0;
  };
  enum class State : std::uint8_t { kClosed, kConnecting, kReady, kBusy };

  struct Parts {
    uv_loop_t* loop;
    Owner& owner;
    const sockaddr* address;
    uv_buf_t read_buffer;  // for the connection that reads at the moment
  };
  explicit ClientConnection(const Parts& parts) : parts_(parts) {}
  ClientConnection(const ClientConnection&) = delete;
  ClientConnection& operator=(const ClientConnection&) = delete;

  State state() const { return state_; }
  // REQUIRES: kClosed.
  void Connect();
  // Copies what the socket does not take at once. REQUIRES: kReady.
  void Send(std::string_view bytes, bool keep_body);
  void Close();

  const ResponseReader& response() const { return response_; }

  // The owner's notes on this connection.
  Slot slot;
  std::uint64_t due_ns = 0;
  std::uint64_t sent_ns = 0;  // open loop only

 private:
  void OnConnected(int status);
  void OnRead(ssize_t count, const uv_buf_t* buffer);
  void Break(std::string_view reason);
  bool WriteRest(std::string_view rest);

  const Parts parts_;
  State state_ = State::kClosed;
  bool closing_ = false;         // libuv has not let go of the handle yet
  bool connects_again_ = false;  // as soon as it has
  uv_tcp_t tcp_{};
  uv_connect_t connect_{};
  uv_write_t write_{};
  std::string unwritten_;
  ResponseReader response_;
  std::size_t received_bytes_ = 0;
};

}  // namespace stator::bench

#endif  // STATOR_BENCH_CLIENT_CONNECTION_H_
