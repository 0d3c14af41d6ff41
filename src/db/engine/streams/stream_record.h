// Records of a stream: what a change leaves for the readers of its table's stream.
//
// A record is the value of a row of its shard's log (engine/row_key.h):
//
//   record := 0x01 event:u8 parts:u8 time_ms:u64 image image? image?
//   image  := size:u32 item                     the keys, then the new and the old item
//
// `event` is 'I', 'M' or 'R'; `parts` is a sum of 1 (there is a new item), 2 (an old one) and 4
// (the item had expired). Integers are big-endian, items are encoded as in stator/item.h.
#ifndef STATOR_ENGINE_STREAMS_STREAM_RECORD_H_
#define STATOR_ENGINE_STREAMS_STREAM_RECORD_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/row_counts.h"
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

// A record without what its shard says of it. The items lie in the decoded bytes.
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

// Nothing if the bytes are no record: they are not trusted.
std::optional<RecordView> DecodeRecord(std::string_view bytes);
// The time alone.
std::optional<TimeMs> DecodeRecordTime(std::string_view bytes);

// The shard that takes the records of the partition of this item row.
const OpenShard& ShardOf(const TableStream& stream, std::string_view item_row_key);

}  // namespace stator

#endif  // STATOR_ENGINE_STREAMS_STREAM_RECORD_H_
