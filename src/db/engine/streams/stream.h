// The story of a stream: what it shows, which shards it has had, when it ended.
//
// A table's row names the shards that take records (engine/table_features.h); everything else about
// a stream is a row of its own, which outlives the table and the end of the stream by the time for
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
  std::optional<End> end;  // absent while records may come
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
  // Makes event ids and iterators of this stream its own. The secret of the database would be given
  // away by hashes of bytes that clients know.
  std::string secret;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> disabled_ms;
  ShardNumber next_shard = 1;
  std::vector<StreamShard> shards;  // ascending by number

  // Not part of the row.
  TableNumber table = 0;  // that writes to it; 0 once it is disabled
  std::shared_ptr<RowCounts> written = std::make_shared<RowCounts>();

  StreamStatus status() const;
  // Clients can see it: it is enabled, or was within the time for which records are kept.
  bool IsVisible(TimeMs now) const;
  const StreamShard* FindShard(ShardNumber shard) const;
  // By its id; null when clients cannot see such a shard.
  const StreamShard* FindShard(std::string_view id, TimeMs now) const;
};

using StreamPtr = std::shared_ptr<const Stream>;

// The records of a shard may still be read.
bool IsVisible(const StreamShard& shard, TimeMs now);

inline constexpr std::size_t kStreamSecretBytes = 32;

// A stream's row in the catalog (grammar: stream_codec.cc).
std::string EncodeStream(const Stream& stream);
std::optional<Stream> DecodeStream(std::string_view json);

// The number inside a shard's id; nothing if it is no id.
std::optional<ShardNumber> ParseShardId(std::string_view id);

// Sequence numbers grow along a shard, and from a shard to its children. Log number 0 stands for
// the beginning of the shard.
struct SequenceNumber {
  ShardNumber shard = 0;
  std::uint64_t number = 0;
};
std::string SequenceText(SequenceNumber sequence);
std::optional<SequenceNumber> ParseSequence(std::string_view text);

}  // namespace stator

#endif  // STATOR_ENGINE_STREAMS_STREAM_H_
