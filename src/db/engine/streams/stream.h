// Stream: what a stream shows, which shards it has had, when it ended.
//
// A table's row names the shards that take records (catalog/table_features.h). Everything else about
// a stream is in a row of its own, which outlives the table and the end of the stream by the time for
// which records are kept.
#ifndef STATOR_ENGINE_STREAMS_STREAM_H_
#define STATOR_ENGINE_STREAMS_STREAM_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/table.h"
#include "stator/streams.h"

namespace stator {

// How long records can be read.
inline constexpr std::chrono::hours kStreamRetention{24};

struct StreamShard {
  struct Parent {
    ShardNumber number = 0;
    std::int64_t opened_ms = 0;
    bool operator==(const Parent&) const = default;
  };
  struct End {
    std::uint64_t last_number = 0;  // of the log; 0: there is no record
    std::int64_t closed_ms = 0;
    bool operator==(const End&) const = default;
  };
  ShardNumber number = 0;
  std::int64_t opened_ms = 0;
  std::optional<Parent> parent;
  std::optional<End> end;  // absent while records may still come
  bool operator==(const StreamShard&) const = default;

  // "shardId-00000001769860800000-00000001"
  std::string Id() const;
  std::optional<std::string> ParentId() const;
};

struct Stream {
  StreamNumber number = 0;
  std::string table_name;
  std::string arn;
  std::string label;
  StreamViewType view = StreamViewType::kKeysOnly;
  KeySchema keys;
  // Keys the event ids and iterators of this stream. The secret of the database is not used for that:
  // hashes of bytes that clients know might give it away.
  std::string secret;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> disabled_ms;
  ShardNumber next_shard = 1;
  std::vector<StreamShard> shards;  // ascending by number

  // Not part of the row.
  TableNumber table = 0;  // the table that writes to it; 0 once it is disabled
  std::shared_ptr<RowCounts> written = std::make_shared<RowCounts>();

  StreamStatus status() const;
  // Whether clients can see it: it is enabled, or was disabled within kStreamRetention.
  bool IsVisible(TimeMs now) const;
  const StreamShard* FindShard(ShardNumber shard) const;
  // By its id; null if clients cannot see such a shard.
  const StreamShard* FindShard(std::string_view id, TimeMs now) const;
};

using StreamPtr = std::shared_ptr<const Stream>;

// Whether the records of a shard may still be read.
bool IsVisible(const StreamShard& shard, TimeMs now);

inline constexpr std::size_t kStreamSecretBytes = 32;

// A stream's row in the catalog (stream.cc has the grammar).
std::string EncodeStream(const Stream& stream);
std::optional<Stream> DecodeStream(std::string_view json);

// The number in a shard's id; nullopt if the text is not an id.
std::optional<ShardNumber> ParseShardId(std::string_view id);

// Sequence numbers grow within a shard, and from a shard to its children. Log number 0 stands for the
// beginning of the shard.
struct SequenceNumber {
  ShardNumber shard = 0;
  std::uint64_t number = 0;
};
std::string SequenceText(SequenceNumber sequence);
std::optional<SequenceNumber> ParseSequence(std::string_view text);

}  // namespace stator

#endif  // STATOR_ENGINE_STREAMS_STREAM_H_
