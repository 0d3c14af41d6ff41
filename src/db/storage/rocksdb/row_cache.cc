#include "storage/rocksdb/row_cache.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/random.h"

namespace stator {
namespace {

constexpr std::uint64_t kOpenBits = 32;
constexpr std::uint64_t kBegun =
    (std::uint64_t{1} << kOpenBits) + 1;  // one more begun, one more open
constexpr std::uint64_t kEnded = 1;

bool IsOpen(std::uint64_t stamp) { return (stamp & ((std::uint64_t{1} << kOpenBits) - 1)) != 0; }

// Of a row beside its bytes: the nodes of the list and of the map.
constexpr std::size_t kRowBytes = 192;
// One row takes at most this part of its shard.
constexpr std::size_t kLargestShare = 16;

// Clients choose parts of the keys: they must not be able to choose rows that collide.
std::uint64_t RandomSeed() {
  std::uint64_t seed = 0;
  std::memcpy(&seed, RandomBytes(sizeof(seed)).data(), sizeof(seed));
  return seed;
}

// What the allocator takes for so many bytes: it knows four sizes between two powers of two.
std::size_t AllocatedBytes(std::size_t bytes) {
  const std::size_t step = std::max<std::size_t>(std::bit_floor(bytes) / 4, 16);
  return (bytes + step - 1) / step * step;
}

}  // namespace

RowCache::RowCache(std::size_t capacity_bytes)
    : shard_bytes_max_(capacity_bytes / kShards), seed_(RandomSeed()), slots_(kSlots) {}

std::uint64_t RowCache::Hash(std::string_view key) const {
  return XXH3_64bits_withSeed(key.data(), key.size(), seed_);
}

std::optional<RowCache::Miss> RowCache::Find(std::string_view key, std::string& value) {
  const std::uint64_t hash = Hash(key);
  Shard& shard = ShardOf(hash);
  const std::scoped_lock lock(shard.mutex);
  const std::uint64_t stamp = SlotOf(hash).load();
  if (IsOpen(stamp)) return Miss{hash, std::nullopt};
  const auto found = shard.by_key.find({hash, key});
  if (found == shard.by_key.end()) return Miss{hash, stamp};
  Row& row = *found->second;
  row.used = true;
  value.assign(row.value);
  return std::nullopt;
}

// Why nothing old stays: a write that began after the miss has changed the stamp, and one that
// begins after it is compared here ends after this lock, and then changes the row.
void RowCache::Keep(const Miss& miss, std::string_view key, std::string_view value) {
  if (!miss.stamp || kRowBytes + key.size() + value.size() > shard_bytes_max_ / kLargestShare)
    return;
  Shard& shard = ShardOf(miss.hash);
  const std::scoped_lock lock(shard.mutex);
  if (SlotOf(miss.hash).load() != *miss.stamp) return;
  if (shard.by_key.contains({miss.hash, key})) return;
  shard.rows.push_front({.hash = miss.hash, .key = std::string(key), .value = std::string(value)});
  const Rows::iterator row = shard.rows.begin();
  shard.by_key.emplace(HashedKey{miss.hash, row->key}, row);
  Charge(shard, *row);
  MakeRoom(shard);
}

void RowCache::BeginCommit(std::span<const Write> writes) {
  for (const Write& write : writes) {
    if (write.kind == Write::Kind::kDeleteRange) {
      for (Slot& slot : slots_) slot.fetch_add(kBegun);
    } else {
      SlotOf(Hash(write.key)).fetch_add(kBegun);
    }
  }
}

void RowCache::EndCommit(std::span<const Write> writes) {
  for (const Write& write : writes) {
    if (write.kind == Write::Kind::kDeleteRange) {
      ClearAll();  // ranges are rare
      for (Slot& slot : slots_) slot.fetch_sub(kEnded);
      continue;
    }
    const HashedKey key{Hash(write.key), write.key};
    Shard& shard = ShardOf(key.hash);
    {
      const std::scoped_lock lock(shard.mutex);
      Change(shard, key, write);
    }
    SlotOf(key.hash).fetch_sub(kEnded);
  }
}

void RowCache::Change(Shard& shard, const HashedKey& key, const Write& write) {
  const auto found = shard.by_key.find(key);
  if (found == shard.by_key.end()) return;
  const Rows::iterator row = found->second;
  if (write.kind == Write::Kind::kDelete ||
      kRowBytes + key.key.size() + write.value.size() > shard_bytes_max_ / kLargestShare) {
    return Erase(shard, row);
  }
  row->value.assign(write.value);
  Charge(shard, *row);
  MakeRoom(shard);
}

void RowCache::Charge(Shard& shard, Row& row) {
  const std::size_t bytes =
      kRowBytes + AllocatedBytes(row.key.capacity()) + AllocatedBytes(row.value.capacity());
  shard.used_bytes += bytes - row.charged_bytes;
  row.charged_bytes = bytes;
}

void RowCache::Erase(Shard& shard, Rows::iterator row) {
  shard.used_bytes -= row->charged_bytes;
  shard.by_key.erase({row->hash, row->key});
  shard.rows.erase(row);
}

// The oldest row goes, unless it was used: then it is spared once and counts as new.
void RowCache::MakeRoom(Shard& shard) {
  while (shard.used_bytes > shard_bytes_max_) {
    const Rows::iterator oldest = std::prev(shard.rows.end());
    if (oldest->used) {
      oldest->used = false;
      shard.rows.splice(shard.rows.begin(), shard.rows, oldest);
    } else {
      Erase(shard, oldest);
    }
  }
}

void RowCache::ClearAll() {
  for (Shard& shard : shards_) {
    const std::scoped_lock lock(shard.mutex);
    shard.by_key.clear();
    shard.rows.clear();
    shard.used_bytes = 0;
  }
}

std::size_t RowCache::UsedBytes() const {
  std::size_t bytes = 0;
  for (const Shard& shard : shards_) {
    const std::scoped_lock lock(shard.mutex);
    bytes += shard.used_bytes;
  }
  return bytes;
}

}  // namespace stator
