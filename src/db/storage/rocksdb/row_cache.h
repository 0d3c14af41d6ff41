// RowCache: rows that were looked up lately, with the value of the last commit.
//
// It stands before RocksDB, whose own cache of rows comes behind its memtables and forgets a row
// that is written. A row comes in when somebody looks it up, and stays while it is overwritten; a
// row that is only written does not come in, so that loading a table costs next to nothing here.
//
// What a commit writes is hidden from its beginning to its end: readers go to RocksDB meanwhile,
// and see the row as it was or as it will be, in that order.
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

// Thread-safe, but for commits: one at a time.
class RowCache {
 public:
  explicit RowCache(std::size_t capacity_bytes);
  RowCache(const RowCache&) = delete;
  RowCache& operator=(const RowCache&) = delete;

  // A lookup that found nothing; allows to bring the row.
  struct Miss {
    std::uint64_t hash = 0;
    std::optional<std::uint64_t> stamp;  // absent: the row is being written
  };

  // Copies the row's value into `value`. Absent: it was here.
  std::optional<Miss> Find(std::string_view key, std::string& value);
  // Keeps a row that was read after the miss, unless it has been written since.
  void Keep(const Miss& miss, std::string_view key, std::string_view value);

  // Around the commit of these writes. A commit that fails is never ended: nobody knows what it
  // left.
  void BeginCommit(std::span<const Write> writes);
  void EndCommit(std::span<const Write> writes);

  std::size_t UsedBytes() const;

 private:
  struct Row {
    std::uint64_t hash;
    std::string key;
    std::string value;
    std::size_t charged_bytes = 0;
    bool used = false;  // since it came in, or since it was last spared
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

  // In the upper bits how many writes have begun on the keys of this slot, in the lower bits how
  // many of them have not ended. Keys share slots by their hashes: at worst a row is not found.
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
