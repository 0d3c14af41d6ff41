// What a table may have besides items and indexes: a stream, expiry, recovery, an origin.
#ifndef STATOR_ENGINE_CATALOG_TABLE_FEATURES_H_
#define STATOR_ENGINE_CATALOG_TABLE_FEATURES_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/catalog/row_counts.h"
#include "stator/table_operations.h"
#include "stator/time_to_live.h"

namespace stator {

using StreamNumber = std::uint32_t;  // never reused
using ShardNumber =
    std::uint64_t;  // unique within a stream; a child's is greater than its parent's

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

// The stream that a table writes to. What else is known of it is in engine/stream_catalog.h.
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

// While a table has it every write keeps the rows of the expiry space (engine/expiry.h).
struct TimeToLive {
  std::string attribute;
  TimeToLiveStatus status = TimeToLiveStatus::kEnabling;
  std::string backfill_cursor;  // row key up to which the items that were there have been seen
  bool operator==(const TimeToLive&) const = default;
};

// While a table has it every change leaves what it replaced in the history (engine/history.h).
struct PointInTimeRecovery {
  std::int64_t enabled_ms = 0;
  std::int64_t days = 35;
  bool operator==(const PointInTimeRecovery&) const = default;
};

// Where a restored table comes from. While it is being filled (engine/restore.h) its status is
// CREATING.
struct RestoreOrigin {
  std::string backup_arn;  // empty: the source table at a point in time
  std::string table_arn;   // of the source
  std::int64_t time_ms = 0;
  // What it is filled from; empty and 0 afterwards.
  std::string checkpoint;
  std::uint32_t table_number = 0;  // of the source, in the checkpoint
  bool operator==(const RestoreOrigin&) const = default;
};

}  // namespace stator

#endif  // STATOR_ENGINE_CATALOG_TABLE_FEATURES_H_
