// Why a reader never gets a stale row
//
// Who writes what, and under which lock:
//   - rows (Shard::by_key, Shard::rows) are read and changed only under their shard's mutex: by Find
//     and Keep on behalf of readers, by EndCommit on behalf of the writer;
//   - slots are changed only by the writer, in BeginCommit and EndCommit, atomically and without a
//     lock. Find and Keep load them, while holding the shard's mutex.
// A slot is open while its lower bits are not zero. All atomic operations are sequentially
// consistent, and there is one commit at a time.
//
// A commit proceeds in this order:
//   1. BeginCommit opens the slot of every key it writes (all slots for a deleted range);
//   2. RocksDB commits: from some moment in this step its readers see the new values;
//   3. EndCommit applies each write to the cached row, if there is one, under the shard's mutex, and
//      then takes that write off the slot. So when a slot closes, every write of the commit to a key
//      of that slot has been applied.
//
// Invariant: while a slot is closed, every cached row of its keys has its newest committed value.
//
//   - A commit preserves it: whatever it writes lies in open slots from before step 2 until the row
//     has been brought up to date in step 3.
//   - Keep preserves it. Let S be the stamp that Find loaded, with the slot closed. Keep loads the
//     stamp again and adds the row only if it is still S. Stamps do not repeat (see below), so no
//     write to the slot began between the two loads, and none was under way: RocksDB, read in
//     between, gave the newest committed value. A commit may begin after the second load and before
//     the row is in. Then its step 3 waits for the mutex that Keep holds, finds the row and changes
//     it; and until then the slot is open.
//     (Had step 3 taken the mutex before Keep did, the second load would have seen its BeginCommit.)
//
// Find answers only while the slot is closed, hence with the newest committed value, or with that
// of a moment during the call if a commit begins just then. A reader that saw a new value in
// RocksDB, or was told that a commit is done, comes after step 1 of that commit: Find sends it to
// RocksDB until step 3 has brought the row up to date.
//
// The upper half of a stamp repeats after 2^32 writes to one slot, which do not fit into the time
// between one Find and its Keep.
#include "storage/rocksdb/row_cache.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/random.h"

namespace stator {
namespace {

constexpr std::uint64_t kOpenBits = 32;
constexpr std::uint64_t kOneBegun = (std::uint64_t{1} << kOpenBits) + 1;  // counts in both halves
constexpr std::uint64_t kOneOpen = 1;

bool IsOpen(std::uint64_t stamp) { return (stamp & ((std::uint64_t{1} << kOpenBits) - 1)) != 0; }

// What a row takes besides its bytes: the nodes of the list and of the map.
constexpr std::size_t kRowBytes = 192;
// A row may take at most 1/16 of its shard.
constexpr std::size_t kRowsPerShardMin = 16;

// Clients choose parts of the keys, and must not be able to choose keys that collide.
std::uint64_t RandomSeed() {
  std::uint64_t seed = 0;
  std::memcpy(&seed, RandomBytes(sizeof(seed)).data(), sizeof(seed));
  return seed;
}

// What the allocator takes for this many bytes: it has four size classes per power of two.
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

void RowCache::Keep(const Miss& miss, std::string_view key, std::string_view value) {
  if (!miss.stamp || kRowBytes + key.size() + value.size() > shard_bytes_max_ / kRowsPerShardMin)
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
      for (Slot& slot : slots_) slot.fetch_add(kOneBegun);
    } else {
      SlotOf(Hash(write.key)).fetch_add(kOneBegun);
    }
  }
}

void RowCache::EndCommit(std::span<const Write> writes) {
  for (const Write& write : writes) {
    if (write.kind == Write::Kind::kDeleteRange) {
      ClearAll();  // which rows it covers is not worth finding out: ranges are rare
      for (Slot& slot : slots_) slot.fetch_sub(kOneOpen);
      continue;
    }
    const HashedKey key{Hash(write.key), write.key};
    Shard& shard = ShardOf(key.hash);
    {
      const std::scoped_lock lock(shard.mutex);
      Change(shard, key, write);
    }
    SlotOf(key.hash).fetch_sub(kOneOpen);
  }
}

void RowCache::Change(Shard& shard, const HashedKey& key, const Write& write) {
  const auto found = shard.by_key.find(key);
  if (found == shard.by_key.end()) return;
  const Rows::iterator row = found->second;
  if (write.kind == Write::Kind::kDelete ||
      kRowBytes + key.key.size() + write.value.size() > shard_bytes_max_ / kRowsPerShardMin) {
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

// Evicts the oldest row, unless it has been used: then it is spared once and becomes the newest.
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
