#include "bench/client_connection.h"

namespace stator::bench {
namespace {

template <class Handle>
ClientConnection& Self(Handle* handle) {
  return *static_cast<ClientConnection*>(handle->data);
}

}  // namespace

void ClientConnection::Connect() {
  state_ = State::kConnecting;
  if (closing_) {
    connects_again_ = true;
    return;
  }
  uv_tcp_init(parts_.loop, &tcp_);
  tcp_.data = this;
  connect_.data = this;
  uv_tcp_nodelay(&tcp_, 1);
  const int status =
      uv_tcp_connect(&connect_, &tcp_, parts_.address, [](uv_connect_t* request, int result) {
        if (result != UV_ECANCELED) Self(request).OnConnected(result);
      });
  if (status != 0) Break("cannot connect");
}

void ClientConnection::OnConnected(int status) {
  if (status != 0) return Break("cannot connect");
  state_ = State::kReady;
  uv_read_start(
      reinterpret_cast<uv_stream_t*>(&tcp_),
      [](uv_handle_t* handle, std::size_t, uv_buf_t* buffer) {
        *buffer = Self(handle).parts_.read_buffer;
      },
      [](uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
        Self(stream).OnRead(count, buffer);
      });
  parts_.owner.OnReady(*this);
}

void ClientConnection::Send(std::string_view bytes, bool keep_body) {
  state_ = State::kBusy;
  received_bytes_ = 0;
  response_.Begin(keep_body);
  uv_buf_t buffer =
      uv_buf_init(const_cast<char*>(bytes.data()), static_cast<unsigned>(bytes.size()));
  const int written = uv_try_write(reinterpret_cast<uv_stream_t*>(&tcp_), &buffer, 1);
  if (written == static_cast<int>(bytes.size())) return;
  if (written < 0 && written != UV_EAGAIN) return Break("connection lost");
  if (!WriteRest(bytes.substr(static_cast<std::size_t>(written < 0 ? 0 : written)))) {
    Break("connection lost");
  }
}

bool ClientConnection::WriteRest(std::string_view rest) {
  unwritten_.assign(rest);
  write_.data = this;
  uv_buf_t buffer = uv_buf_init(unwritten_.data(), static_cast<unsigned>(unwritten_.size()));
  return uv_write(&write_, reinterpret_cast<uv_stream_t*>(&tcp_), &buffer, 1,
                  [](uv_write_t* request, int status) {
                    if (status != 0 && status != UV_ECANCELED) {
                      Self(request).Break("connection lost");
                    }
                  }) == 0;
}

void ClientConnection::OnRead(ssize_t count, const uv_buf_t* buffer) {
  if (count == 0) return;
  if (count < 0) return Break(count == UV_EOF ? "connection closed" : "connection lost");
  if (state_ != State::kBusy) return Break("answer without a request");
  received_bytes_ += static_cast<std::size_t>(count);
  switch (response_.Take({buffer->base, static_cast<std::size_t>(count)})) {
    case ResponseReader::State::kMore:
      return;
    case ResponseReader::State::kBroken:
      return Break("unreadable answer");
    case ResponseReader::State::kDone:
      break;
  }
  state_ = State::kReady;
  if (!response_.head().keep_alive) Close();
  parts_.owner.OnAnswer(*this, received_bytes_);
}

void ClientConnection::Break(std::string_view reason) {
  if (state_ == State::kClosed) return;
  Close();
  parts_.owner.OnBroken(*this, reason);
}

void ClientConnection::Close() {
  state_ = State::kClosed;
  connects_again_ = false;
  if (closing_ || tcp_.data == nullptr) return;
  closing_ = true;
  uv_close(reinterpret_cast<uv_handle_t*>(&tcp_), [](uv_handle_t* handle) {
    ClientConnection& self = Self(handle);
    self.closing_ = false;
    self.tcp_.data = nullptr;
    if (self.connects_again_) {
      self.connects_again_ = false;
      self.Connect();
    }
  });
}

}  // namespace stator::bench
