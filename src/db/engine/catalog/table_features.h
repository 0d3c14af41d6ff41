// Parts of a table: its counts, and what it may have besides items and indexes: a stream, time to
// live, point-in-time recovery, an origin.
#ifndef STATOR_ENGINE_CATALOG_TABLE_FEATURES_H_
#define STATOR_ENGINE_CATALOG_TABLE_FEATURES_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "stator/table_operations.h"
#include "stator/time_to_live.h"

namespace stator {

// How many rows there are, and how large they are: live counts, shared by all snapshots of what they
// count. Only the writer changes items and bytes. On a store that several processes share, they are
// what this one has added.
struct RowCounts {
  std::atomic<std::int64_t> items{0};
  std::atomic<std::int64_t> bytes{0};
  // What the others have added (sharing/sums.h).
  std::atomic<std::int64_t> items_elsewhere{0};
  std::atomic<std::int64_t> bytes_elsewhere{0};

  std::int64_t all_items() const { return items + items_elsewhere; }
  std::int64_t all_bytes() const { return bytes + bytes_elsewhere; }
};

// What is counted, for those who count together (sharing/sums.h).
struct CountedRows {
  enum class Kind : std::uint8_t {
    kNothing,  // nobody else wants to know
    kIndex,    // of table `owner`; 0: its items
    kShard,    // of stream `owner`
  };
  Kind kind = Kind::kNothing;
  std::uint32_t owner = 0;
  std::uint64_t part = 0;
};

// How counts change when a write is committed.
struct CountChange {
  RowCounts* counts;
  std::int64_t items;
  std::int64_t bytes;
  CountedRows rows;
};
inline void ApplyCounts(const std::vector<CountChange>& changes) {
  for (const CountChange& change : changes) {
    change.counts->items.fetch_add(change.items, std::memory_order_relaxed);
    change.counts->bytes.fetch_add(change.bytes, std::memory_order_relaxed);
  }
}

using StreamNumber = std::uint32_t;  // never reused
// Unique within a stream; a child's number is greater than its parent's.
using ShardNumber = std::uint64_t;

// A shard that takes records: those of partitions whose hash, as its leading eight bytes, is at
// least `first_hash` and less than that of the next shard.
struct OpenShard {
  ShardNumber number = 0;
  std::uint64_t first_hash = 0;
  // Records since it was opened.
  std::shared_ptr<RowCounts> growth = std::make_shared<RowCounts>();
  // Growth is not part of a row.
  bool operator==(const OpenShard& other) const {
    return number == other.number && first_hash == other.first_hash;
  }
};

// The stream that a table writes to. StreamCatalog has the rest of what is known about it.
struct TableStream {
  StreamNumber number = 0;
  std::string label;  // creation time, as in its ARN
  StreamViewType view = StreamViewType::kKeysOnly;
  std::vector<OpenShard> shards;  // ascending by first_hash; the first begins at 0
  // Records since the database was opened.
  std::shared_ptr<RowCounts> written = std::make_shared<RowCounts>();
  bool operator==(const TableStream& other) const {
    return number == other.number && label == other.label && view == other.view &&
           shards == other.shards;
  }
};

// While a table has it, every write maintains the rows of the expiry space (engine/expiry/expiry.h).
struct TimeToLive {
  std::string attribute;
  TimeToLiveStatus status = TimeToLiveStatus::kEnabling;
  std::string backfill_cursor;  // row key up to which the existing items have been seen
  bool operator==(const TimeToLive&) const = default;
};

// While a table has it, every change leaves what it replaced in the history
// (engine/history/history.h).
struct PointInTimeRecovery {
  std::int64_t enabled_ms = 0;
  std::int64_t days = 35;
  bool operator==(const PointInTimeRecovery&) const = default;
};

// Where a restored table comes from. Its status is CREATING while it is being filled
// (engine/history/restore.h).
struct RestoreOrigin {
  std::string backup_arn;  // empty: restored from the source table at a point in time
  std::string table_arn;   // of the source
  std::int64_t time_ms = 0;
  // What it is filled from; empty and 0 afterwards.
  std::string checkpoint;
  std::uint32_t table_number = 0;  // of the source, in the checkpoint
  bool operator==(const RestoreOrigin&) const = default;
};

}  // namespace stator

#endif  // STATOR_ENGINE_CATALOG_TABLE_FEATURES_H_
