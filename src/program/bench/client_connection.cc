#include "bench/client_connection.h"

#include <algorithm>
#include <charconv>

#include "http/headers.h"

namespace stator::bench {
namespace {

constexpr std::string_view kHttpVersion = "HTTP/1.";
constexpr std::size_t kStatusAt = sizeof("HTTP/1.1 ") - 1;
constexpr std::size_t kStatusDigits = 3;
constexpr std::size_t kHeadBytesMax = 64 * 1024;
constexpr std::size_t kBodyBytesMax = std::size_t{1} << 30;

// The value of the line if it is this header. `name` is in lower case and ends with the colon.
bool IsHeader(std::string_view line, std::string_view name, std::string_view& value) {
  if (line.size() < name.size() ||
      !std::ranges::equal(line.substr(0, name.size()), name, {}, http::LowerAscii)) {
    return false;
  }
  value = line.substr(name.size());
  while (value.starts_with(' ')) value.remove_prefix(1);
  return true;
}

template <class Number>
bool ParseNumber(std::string_view text, Number& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

template <class Handle>
ClientConnection& Self(Handle* handle) {
  return *static_cast<ClientConnection*>(handle->data);
}

}  // namespace

std::expected<ResponseHead, HeadProblem> ReadHead(std::string_view bytes) {
  ResponseHead head;
  bool has_length = false;
  std::size_t at = 0;
  for (std::size_t end = bytes.find('\n'); end != std::string_view::npos;
       end = bytes.find('\n', at)) {
    std::string_view line = bytes.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    std::string_view value;
    if (at == 0) {
      if (!line.starts_with(kHttpVersion) || line.size() < kStatusAt + kStatusDigits ||
          !ParseNumber(line.substr(kStatusAt, kStatusDigits), head.status)) {
        return std::unexpected(HeadProblem::kBroken);
      }
    } else if (line.empty()) {
      head.head_bytes = end + 1;
      if (!has_length) return std::unexpected(HeadProblem::kBroken);
      return head;
    } else if (http::LowerAscii(line[0]) != 'c') {
      // Only two headers matter, and both begin with a C.
    } else if (IsHeader(line, "content-length:", value)) {
      has_length = ParseNumber(value, head.body_bytes) && head.body_bytes <= kBodyBytesMax;
    } else if (IsHeader(line, "connection:", value)) {
      head.keep_alive = !std::ranges::equal(value, std::string_view("close"), {}, http::LowerAscii);
    }
    at = end + 1;
  }
  return std::unexpected(bytes.size() > kHeadBytesMax ? HeadProblem::kBroken
                                                      : HeadProblem::kIncomplete);
}

void ResponseReader::Begin(bool keep_body) {
  keep_body_ = keep_body;
  in_body_ = false;
  head_bytes_.clear();
  body_.clear();
}

ResponseReader::State ResponseReader::Take(std::string_view bytes) {
  if (in_body_) return TakeBody(bytes);
  std::string_view all = bytes;
  if (!head_bytes_.empty()) {
    head_bytes_.append(bytes);
    all = head_bytes_;
  }
  const auto head = ReadHead(all);
  if (!head) {
    if (head.error() == HeadProblem::kBroken) return State::kBroken;
    if (head_bytes_.empty()) head_bytes_.assign(bytes);
    return State::kMore;
  }
  head_ = *head;
  in_body_ = true;
  missing_bytes_ = head_.body_bytes;
  keep_body_ = keep_body_ || head_.status != kStatusOk;
  return TakeBody(all.substr(head_.head_bytes));
}

ResponseReader::State ResponseReader::TakeBody(std::string_view bytes) {
  if (bytes.size() > missing_bytes_) return State::kBroken;
  if (keep_body_) body_.append(bytes);
  missing_bytes_ -= bytes.size();
  return missing_bytes_ == 0 ? State::kDone : State::kMore;
}

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
