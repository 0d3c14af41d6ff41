// RowCache: recently read rows, with their newest committed values.
//
// It stands in front of RocksDB, whose own row cache is consulted only after the memtables and drops
// a row that is written. Here a row enters when it is read, and stays when it is overwritten. A row
// that is only written never enters, so that loading a table costs next to nothing.
//
// From the beginning to the end of a commit the cache does not answer for the keys that the commit
// writes: readers go to RocksDB, which shows the old value first and the new one from some moment
// on. Before the commit the cache has the old value, after it the new one, so no reader ever sees
// the old value after the new one. row_cache.cc has the proof.
#ifndef STATOR_STORAGE_ROCKSDB_ROW_CACHE_H_
#define STATOR_STORAGE_ROCKSDB_ROW_CACHE_H_

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "storage/round.h"

namespace stator {

// Thread-safe. REQUIRES: one commit at a time.
class RowCache {
 public:
  explicit RowCache(std::size_t capacity_bytes);
  RowCache(const RowCache&) = delete;
  RowCache& operator=(const RowCache&) = delete;

  // A lookup that found nothing. The caller reads the row from RocksDB and passes the miss to Keep.
  struct Miss {
    std::uint64_t hash = 0;
    std::optional<std::uint64_t> stamp;  // of the key's slot; absent: a commit is writing to it
  };

  // On a hit copies the row's value into `value` and returns nullopt.
  std::optional<Miss> Find(std::string_view key, std::string& value);
  // Keeps a row that was read from RocksDB after the miss, unless a write to its slot has begun
  // since.
  void Keep(const Miss& miss, std::string_view key, std::string_view value);

  // Called before and after RocksDB commits these writes. A commit that fails is never ended: it is
  // not known what it left, so the cache does not answer for its keys any more.
  void BeginCommit(std::span<const Write> writes);
  void EndCommit(std::span<const Write> writes);

  std::size_t UsedBytes() const;

 private:
  struct Row {
    std::uint64_t hash;
    std::string key;
    std::string value;
    std::size_t charged_bytes = 0;
    bool used = false;  // since it entered, or since MakeRoom last spared it
  };
  using Rows = std::list<Row>;
  struct HashedKey {
    std::uint64_t hash;
    std::string_view key;
    bool operator==(const HashedKey& other) const { return key == other.key; }
  };
  struct Hasher {
    std::size_t operator()(const HashedKey& key) const { return key.hash; }
  };
  struct alignas(64) Shard {
    mutable std::mutex mutex;
    std::unordered_map<HashedKey, Rows::iterator, Hasher> by_key;
    Rows rows;  // newest first
    std::size_t used_bytes = 0;
  };

  // The state of the keys that hash to it. The upper 32 bits count the writes that have begun, the
  // lower 32 bits those of them that have not ended. Keys that share a slot are hidden together.
  using Slot = std::atomic<std::uint64_t>;
  static constexpr std::size_t kSlots = 8192;
  static constexpr std::size_t kShards = 16;

  std::uint64_t Hash(std::string_view key) const;
  Slot& SlotOf(std::uint64_t hash) { return slots_[hash % kSlots]; }
  Shard& ShardOf(std::uint64_t hash) { return shards_[(hash >> 32) % kShards]; }

  void Change(Shard& shard, const HashedKey& key, const Write& write);
  void Charge(Shard& shard, Row& row);
  void Erase(Shard& shard, Rows::iterator row);
  void MakeRoom(Shard& shard);
  void ClearAll();

  const std::size_t shard_bytes_max_;
  const std::uint64_t seed_;
  std::vector<Slot> slots_;
  std::array<Shard, kShards> shards_;
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_ROW_CACHE_H_
