#include "server/memory_budget.h"

#include <netinet/in.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace stator::server {
namespace {

// What a value needs besides its bytes, in the parser and in the request that is made of it.
constexpr std::size_t kBytesPerValue = 96;
// The part of a share that requests may take.
constexpr std::size_t kRequestPart = 2;
constexpr std::size_t kRequestWhole = 3;
// … and the part of it that may be taken before long answers have to wait; more than requests take.
constexpr std::size_t kCrowdedPart = 3;
constexpr std::size_t kCrowdedWhole = 4;
// A network of IPv6 addresses that one peer commonly has.
constexpr std::size_t kV6NetworkBytes = 8;

std::string Bytes(const void* address, std::size_t count) {
  return {static_cast<const char*>(address), count};
}

}  // namespace

std::size_t DefaultMemoryLimit() {
  const auto pages = static_cast<std::size_t>(std::max(sysconf(_SC_PHYS_PAGES), 0L));
  const auto page_bytes = static_cast<std::size_t>(std::max(sysconf(_SC_PAGESIZE), 0L));
  std::size_t bytes = pages * page_bytes;
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    bytes = std::min<std::size_t>(bytes, limit.rlim_cur);
  }
  // Of a container; not a number if it is unlimited.
  std::size_t most = 0;
  if (std::ifstream("/sys/fs/cgroup/memory.max") >> most) bytes = std::min(bytes, most);
  return bytes / 2;
}

std::string PeerKey(const sockaddr& address) {
  if (address.sa_family == AF_INET) {
    const auto& v4 = reinterpret_cast<const sockaddr_in&>(address);
    return Bytes(&v4.sin_addr, sizeof(v4.sin_addr));
  }
  if (address.sa_family != AF_INET6) return {};
  const in6_addr& v6 = reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  if (IN6_IS_ADDR_V4MAPPED(&v6)) {
    return Bytes(v6.s6_addr + sizeof(v6.s6_addr) - sizeof(in_addr), sizeof(in_addr));
  }
  return Bytes(v6.s6_addr, kV6NetworkBytes);
}

std::size_t DecodedBytes(std::string_view json) {
  // Those inside strings count too: an estimate may be too high.
  std::size_t values = 0;
  for (const char c : json) {
    values += static_cast<std::size_t>(c == ',') + static_cast<std::size_t>(c == '{') +
              static_cast<std::size_t>(c == '[');
  }
  return json.size() * 2 + values * kBytesPerValue;
}

PeerMemory::~PeerMemory() {
  const std::scoped_lock lock(budget_->mutex_);
  const auto found = budget_->peers_.find(key_);
  // Another one may have taken the place meanwhile.
  if (found != budget_->peers_.end() && found->second.expired()) budget_->peers_.erase(found);
}

std::size_t PeerMemory::Most() const { return budget_->limits_.bytes; }

bool PeerMemory::TryTake(std::size_t bytes, std::size_t own, MemoryUse use) {
  const MemoryBudget::Limits& limits = budget_->limits_;
  const std::size_t of_peer = bytes_.fetch_add(bytes);
  const std::size_t of_all = budget_->bytes_.fetch_add(bytes);
  const std::size_t work = use == MemoryUse::kWork ? work_bytes_.fetch_add(bytes) : 0;
  const std::size_t part = use == MemoryUse::kAnswer
                               ? limits.bytes_per_peer
                               : limits.bytes_per_peer * kRequestPart / kRequestWhole;
  const bool alone = use == MemoryUse::kWork ? work <= own : of_peer <= own;
  if ((alone || of_peer + bytes <= part) && of_all + bytes <= limits.bytes) return true;
  Give(bytes, use);
  return false;
}

void PeerMemory::Take(std::size_t bytes, MemoryUse use) {
  bytes_.fetch_add(bytes);
  budget_->bytes_.fetch_add(bytes);
  if (use == MemoryUse::kWork) work_bytes_.fetch_add(bytes);
}

void PeerMemory::Give(std::size_t bytes, MemoryUse use) {
  bytes_.fetch_sub(bytes);
  budget_->bytes_.fetch_sub(bytes);
  if (use == MemoryUse::kWork) work_bytes_.fetch_sub(bytes);
}

bool PeerMemory::IsCrowded() const {
  const MemoryBudget::Limits& limits = budget_->limits_;
  return bytes_.load(std::memory_order_relaxed) * kCrowdedWhole >=
             limits.bytes_per_peer * kCrowdedPart ||
         budget_->bytes() >= limits.bytes;
}

std::shared_ptr<PeerMemory> MemoryBudget::Connect(std::string peer_key) {
  std::shared_ptr<PeerMemory> peer;  // whose end takes the lock
  const std::scoped_lock lock(mutex_);
  std::weak_ptr<PeerMemory>& place = peers_[peer_key];
  peer = place.lock();
  if (!peer) {
    peer = std::make_shared<PeerMemory>(shared_from_this(), std::move(peer_key));
    place = peer;
  }
  if (peer->connections_.fetch_add(1) < limits_.connections_per_peer) return peer;
  peer->connections_.fetch_sub(1);
  return nullptr;
}

}  // namespace stator::server
