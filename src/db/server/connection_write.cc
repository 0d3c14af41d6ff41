// The writing half of Connection: first straight to the kernel, and only what it does not take is
// left to the loop.
#include <array>
#include <memory>

#include "server/connection.h"
#include "server/limits.h"

namespace stator::server {
namespace {

constexpr std::size_t kBuffersPerExchange = 2;

// The buffers of ready exchanges, in order.
class Gather {
 public:
  void Add(const Exchange& exchange) {
    AddBytes(exchange.response_head);
    AddBytes(exchange.answer.body);
  }
  // Forgets the first bytes.
  void Skip(std::size_t bytes) {
    while (bytes > 0) {
      uv_buf_t& first = buffers_[first_];
      if (bytes < first.len) {
        first.base += bytes;
        first.len -= bytes;
        return;
      }
      bytes -= first.len;
      ++first_;
    }
  }
  const uv_buf_t* data() const { return buffers_.data() + first_; }
  unsigned size() const { return static_cast<unsigned>(end_ - first_); }

 private:
  void AddBytes(const std::string& bytes) {
    if (bytes.empty()) return;
    buffers_[end_++] = {const_cast<char*>(bytes.data()), bytes.size()};
  }

  std::array<uv_buf_t, kPipelinedRequestsMax * kBuffersPerExchange> buffers_;
  std::size_t first_ = 0;
  std::size_t end_ = 0;
};

}  // namespace

// A write that the loop carries on with; owns its exchanges.
struct Connection::PendingWrite {
  uv_write_t request;
  Connection* connection;
  ExchangeList exchanges;
  std::size_t byte_count;
};

void Connection::Flush() {
  while (phase_ == Phase::kOpen && !writing_ && !pending_.empty() && pending_.front()->ready) {
    Gather gather;
    std::size_t exchange_count = 0;
    for (const Exchange* x = pending_.front(); x != nullptr && x->ready; x = x->next) {
      gather.Add(*x);
      ++exchange_count;
    }
    const int result = uv_try_write(stream(), gather.data(), gather.size());
    if (result < 0 && result != UV_EAGAIN) return Close();
    auto written = static_cast<std::size_t>(result < 0 ? 0 : result);
    services_.metrics.bytes_out.Add(written);
    while (exchange_count > 0 && written >= pending_.front()->OutputByteCount()) {
      written -= pending_.front()->OutputByteCount();
      Release(pending_.PopFront());
      --pending_count_;
      --exchange_count;
    }
    if (exchange_count > 0 && !StartWrite(exchange_count, written)) return Close();
  }
}

bool Connection::StartWrite(std::size_t exchange_count, std::size_t bytes_to_skip) {
  auto write = std::make_unique<PendingWrite>();
  write->connection = this;
  write->request.data = write.get();
  write->byte_count = 0;
  Gather gather;
  for (; exchange_count > 0; --exchange_count) {
    Exchange* exchange = pending_.PopFront();
    --pending_count_;
    gather.Add(*exchange);
    write->byte_count += exchange->OutputByteCount();
    write->exchanges.PushBack(exchange);
  }
  gather.Skip(bytes_to_skip);
  write->byte_count -= bytes_to_skip;
  const int result = uv_write(&write->request, stream(), gather.data(), gather.size(),
                              [](uv_write_t* request, int status) {
                                auto* done = static_cast<PendingWrite*>(request->data);
                                done->connection->OnWritten(*done, status);
                              });
  if (result != 0) {
    while (!write->exchanges.empty()) Release(write->exchanges.PopFront());
    return false;
  }
  write.release();  // OnWritten takes it back
  writing_ = true;
  write_queue_bytes_ = uv_stream_get_write_queue_size(stream());
  return true;
}

void Connection::OnWritten(PendingWrite& write, int status) {
  const std::unique_ptr<PendingWrite> owned(&write);
  while (!write.exchanges.empty()) Release(write.exchanges.PopFront());
  writing_ = false;
  services_.deadlines.Clear(*this);
  if (status != 0) return Close();
  services_.metrics.bytes_out.Add(write.byte_count);
  Pump();
}

}  // namespace stator::server
