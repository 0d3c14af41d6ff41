// The log of a shard: what changes leave for the readers of their table's stream.
//
// A record is a row of the log of its shard (catalog/row_key.h has the key):
//
//   record := 0x01 event:u8 parts:u8 time_ms:u64 image image? image?
//   image  := size:u32 item                     the keys, then the new and the old item
//
// `event` is 'I', 'M' or 'R'; `parts` is a sum of 1 (there is a new item), 2 (an old one) and 4
// (the item had expired). Integers are big-endian, items are encoded as in stator/item.h.
//
// The store numbers records 1, 2, 3 … without gaps in commit order and shows whole commits only, so a
// reader always sees a prefix of a log: no older record can turn up after one that it has seen.
#ifndef STATOR_ENGINE_STREAMS_STREAM_LOG_H_
#define STATOR_ENGINE_STREAMS_STREAM_LOG_H_

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/table_features.h"
#include "engine/write/item_write.h"
#include "stator/item.h"
#include "stator/streams.h"
#include "storage/store.h"

namespace stator {

struct ItemChange;

// Adds the change to the open shard of its partition. REQUIRES: the table has a stream.
void AppendStreamRecord(const ItemChange& change, WriteBatch& batch,
                        std::vector<CountChange>& counts);

// A record, without what only its shard knows. The items lie in the decoded bytes.
struct RecordView {
  StreamEvent event = StreamEvent::kInsert;
  ChangeOrigin origin = ChangeOrigin::kClient;
  TimeMs time{};
  ItemView keys;
  std::optional<ItemView> new_image;
  std::optional<ItemView> old_image;
};

// The record of a change, with the images that the view shows. REQUIRES: something changes.
std::string EncodeRecord(const ItemChange& change, StreamViewType view);

// Nullopt if the bytes are not a record: they are not trusted.
std::optional<RecordView> DecodeRecord(std::string_view bytes);
// Only the time.
std::optional<TimeMs> DecodeRecordTime(std::string_view bytes);

// The shard that takes the records of the partition of this item row.
const OpenShard& ShardOf(const TableStream& stream, std::string_view item_row_key);

std::string ShardLogName(StreamNumber stream, ShardNumber shard);
KeyRange ShardRows(StreamNumber stream, ShardNumber shard);

class ShardLog {
 public:
  // The store must outlive it.
  ShardLog(const Store& store, StreamNumber stream, ShardNumber shard);

  // The numbers of the oldest and the newest stored record; 0 if there is none.
  StorageResult<std::uint64_t> First() const;
  StorageResult<std::uint64_t> Last() const;
  // The number of the oldest record that is younger than `cutoff`; one more than the last number if
  // there is none. A record that cannot be read counts as young.
  StorageResult<std::uint64_t> FirstAfter(TimeMs cutoff) const;
  // The time of the oldest stored record.
  StorageResult<std::optional<TimeMs>> FirstTime() const;

  // Visits the records from this number on; return false to stop.
  using RecordVisitor = std::function<bool(std::uint64_t number, std::string_view record)>;
  StorageResult<void> Visit(std::uint64_t from, const RecordVisitor& visit) const;

  // The rows of the records in [from, to).
  KeyRange Rows(std::uint64_t from, std::uint64_t to) const;

 private:
  struct Found {
    std::uint64_t number = 0;  // 0: there is no such record
    std::optional<TimeMs> time;
  };
  // The first record from this number on.
  StorageResult<Found> At(std::uint64_t from) const;

  const Store& store_;
  const std::string name_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_STREAMS_STREAM_LOG_H_
