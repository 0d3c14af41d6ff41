// One budget for the memory that clients make the server take: bodies of requests, what they become when
// they are unpacked and decoded, and answers that wait for their readers. Every peer address has a share
// of it and a number of connections, so that no single one can use it up.
//
// What is small is free: a connection is counted when it holds more than kFreeBytesPerConnection. What
// does not fit waits, unread, in the buffers of the kernel (connection.cc).
#ifndef STATOR_SERVER_MEMORY_BUDGET_H_
#define STATOR_SERVER_MEMORY_BUDGET_H_

#include <sys/socket.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "server/options.h"

namespace stator::server {

// Half of the machine's memory, or of what the process may use of it.
std::size_t DefaultMemoryLimit();

// An address as its bytes. An IPv6 peer has a whole network of addresses; they count as one.
std::string PeerKey(const sockaddr& address);

// About what the document takes while it is carried out, itself included: decoded values need most if they
// are many.
std::size_t DecodedBytes(std::string_view json);

// Of what a connection holds, the bytes that are counted: a little is free.
inline std::size_t CountedBytes(std::size_t held) {
  return held > kFreeBytesPerConnection ? held : 0;
}

class MemoryBudget;

// What memory is for. Bodies and work leave a part of the share to answers: who writes a lot can still
// read. Work can always go on, whatever bodies wait for it.
enum class MemoryUse : std::uint8_t { kBody, kWork, kAnswer };

// What one peer address holds. Thread-safe.
class PeerMemory {
 public:
  PeerMemory(std::shared_ptr<MemoryBudget> budget, std::string key)
      : budget_(std::move(budget)), key_(std::move(key)) {}
  ~PeerMemory();
  PeerMemory(const PeerMemory&) = delete;
  PeerMemory& operator=(const PeerMemory&) = delete;

  // What could be taken if nobody else held anything.
  std::size_t Most() const;
  // `own` is what the one who asks holds already. Fails if the use's part of the share is exceeded, unless
  // there is nothing else: no other bytes of the peer, or for work no other work. Fails too if the whole
  // budget is exceeded.
  bool TryTake(std::size_t bytes, std::size_t own, MemoryUse use);
  // Memory that is there already is counted, whether it fits or not.
  void Take(std::size_t bytes, MemoryUse use);
  void Give(std::size_t bytes, MemoryUse use);
  // True if the peer's share, or the whole, is almost used up: time not to begin what may need a lot.
  bool IsCrowded() const;
  // Who waits is not overtaken: others should not try before these have got what they need.
  void BeginWait() { waiters_.fetch_add(1); }
  void EndWait() { waiters_.fetch_sub(1); }
  bool HasWaiters() const { return waiters_.load(std::memory_order_relaxed) > 0; }

 private:
  friend class MemoryBudget;

  const std::shared_ptr<MemoryBudget> budget_;
  const std::string key_;
  std::atomic<std::size_t> bytes_ = 0;
  std::atomic<std::size_t> work_bytes_ = 0;  // the part that is for work
  std::atomic<std::size_t> connections_ = 0;
  std::atomic<std::size_t> waiters_ = 0;
};

class MemoryBudget : public std::enable_shared_from_this<MemoryBudget> {
 public:
  struct Limits {
    std::size_t bytes;
    std::size_t bytes_per_peer;
    std::size_t connections_per_peer;
  };
  explicit MemoryBudget(Limits limits) : limits_(limits) {}

  // Counts a connection; null if the peer has too many.
  std::shared_ptr<PeerMemory> Connect(std::string peer_key);
  static void Disconnect(PeerMemory& peer) { peer.connections_.fetch_sub(1); }

  std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

 private:
  friend class PeerMemory;

  const Limits limits_;
  std::atomic<std::size_t> bytes_ = 0;
  std::mutex mutex_;
  std::unordered_map<std::string, std::weak_ptr<PeerMemory>> peers_;
};

// Bytes that are counted as long as this lives.
class MemoryCharge {
 public:
  MemoryCharge() = default;
  MemoryCharge(std::shared_ptr<PeerMemory> peer, MemoryUse use)
      : peer_(std::move(peer)), use_(use) {}
  MemoryCharge(MemoryCharge&& other) noexcept
      : peer_(std::move(other.peer_)), bytes_(std::exchange(other.bytes_, 0)), use_(other.use_) {}
  MemoryCharge& operator=(MemoryCharge&& other) noexcept {
    Set(0);
    peer_ = std::move(other.peer_);
    bytes_ = std::exchange(other.bytes_, 0);
    use_ = other.use_;
    return *this;
  }
  ~MemoryCharge() { Set(0); }

  const std::shared_ptr<PeerMemory>& peer() const { return peer_; }
  std::size_t bytes() const { return bytes_; }

  // Without a peer nothing is counted.
  void Set(std::size_t bytes) {
    if (bytes == bytes_ || !peer_) return;
    bytes > bytes_ ? peer_->Take(bytes - bytes_, use_) : peer_->Give(bytes_ - bytes, use_);
    bytes_ = bytes;
  }
  // False, and nothing has changed, if it does not fit.
  bool TrySet(std::size_t bytes) { return TrySet(bytes, use_); }
  bool TrySet(std::size_t bytes, MemoryUse use) {
    if (bytes > bytes_ && peer_) {
      if (!peer_->TryTake(bytes - bytes_, bytes_, use)) return false;
      bytes_ = bytes;
    }
    Set(bytes);
    return true;
  }

 private:
  std::shared_ptr<PeerMemory> peer_;
  std::size_t bytes_ = 0;
  MemoryUse use_ = MemoryUse::kBody;
};

}  // namespace stator::server

#endif  // STATOR_SERVER_MEMORY_BUDGET_H_
