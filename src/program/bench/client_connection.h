// One keep-alive connection of the load generator.
#ifndef STATOR_BENCH_CLIENT_CONNECTION_H_
#define STATOR_BENCH_CLIENT_CONNECTION_H_

#include <uv.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "bench/request_source.h"
#include "bench/response_reader.h"

namespace stator::bench {

// Touched by its loop's thread only.
class ClientConnection {
 public:
  // Who is told what happens. From OnAnswer and OnBroken any member of the connection may be called.
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
    uv_buf_t read_buffer;  // for whoever reads at the moment
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

  // What the owner remembers here.
  Slot slot;
  std::uint64_t due_ns = 0;

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
