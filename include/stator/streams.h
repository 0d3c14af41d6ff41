// Requests and responses of DynamoDB Streams, with its own names.
//
//   auto stream = db->ListStreams({.table_name = "Music"})->streams.front();
//   auto shards = db->DescribeStream({.stream_arn = stream.stream_arn})->stream.shards;
//   auto start = db->GetShardIterator({.stream_arn = stream.stream_arn,
//                                      .shard_id = shards.front().shard_id,
//                                      .shard_iterator_type = ShardIteratorType::kTrimHorizon});
//   auto page = db->GetRecords({.shard_iterator = start->shard_iterator});
#ifndef STATOR_STREAMS_H_
#define STATOR_STREAMS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "stator/item.h"
#include "stator/table_operations.h"

namespace stator {

enum class StreamStatus : std::uint8_t { kEnabling, kEnabled, kDisabling, kDisabled };
enum class StreamEvent : std::uint8_t { kInsert, kModify, kRemove };
enum class ShardFilterType : std::uint8_t { kChildShards };
enum class ShardIteratorType : std::uint8_t {
  kTrimHorizon,
  kLatest,
  kAtSequenceNumber,
  kAfterSequenceNumber,
};

struct ListStreamsRequest {
  std::optional<std::string> table_name;
  std::optional<std::int64_t> limit;
  std::optional<std::string> exclusive_start_stream_arn;
};
struct ListStreamsResponse {
  struct Stream {
    std::string stream_arn;
    std::string table_name;
    std::string stream_label;
  };
  std::vector<Stream> streams;
  std::optional<std::string> last_evaluated_stream_arn;
};

struct ShardFilter {
  std::optional<Choice<ShardFilterType>> type;
  std::optional<std::string> shard_id;
};
struct DescribeStreamRequest {
  std::optional<std::string> stream_arn;
  std::optional<std::int64_t> limit;
  std::optional<std::string> exclusive_start_shard_id;
  std::optional<ShardFilter> shard_filter;
};
struct StreamDescription {
  struct Shard {
    std::string shard_id;
    std::optional<std::string> parent_shard_id;
    std::string starting_sequence_number;
    std::optional<std::string> ending_sequence_number;  // once it is closed
  };
  std::string stream_arn;
  std::string stream_label;
  StreamStatus stream_status = StreamStatus::kEnabled;
  StreamViewType stream_view_type = StreamViewType::kKeysOnly;
  std::int64_t creation_request_ms = 0;
  std::string table_name;
  std::vector<std::pair<std::string, KeyType>> key_schema;
  std::vector<Shard> shards;
  std::optional<std::string> last_evaluated_shard_id;
};
struct DescribeStreamResponse {
  StreamDescription stream;
};

struct GetShardIteratorRequest {
  std::optional<std::string> stream_arn;
  std::optional<std::string> shard_id;
  std::optional<Choice<ShardIteratorType>> shard_iterator_type;
  std::optional<std::string> sequence_number;
};
struct GetShardIteratorResponse {
  std::string shard_iterator;
};

struct StreamRecord {
  std::string event_id;
  StreamEvent event_name = StreamEvent::kInsert;
  std::string aws_region;
  std::int64_t approximate_creation_seconds = 0;
  Item keys;
  std::optional<Item> new_image;
  std::optional<Item> old_image;
  std::string sequence_number;
  std::int64_t size_bytes = 0;
  StreamViewType stream_view_type = StreamViewType::kKeysOnly;
  bool by_time_to_live = false;  // the item was deleted because it had expired
};
struct GetRecordsRequest {
  std::optional<std::string> shard_iterator;
  std::optional<std::int64_t> limit;
};
struct GetRecordsResponse {
  std::vector<StreamRecord> records;
  std::optional<std::string> next_shard_iterator;  // absent once a closed shard is read to its end
};

}  // namespace stator

#endif  // STATOR_STREAMS_H_
