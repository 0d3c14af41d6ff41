// Shard iterators: a place in a shard, as opaque text that clients hand back.
//
//   iterator := arn "|1|" base64(shard:u64 position:u64 issued_ms:u64 seal:16)
//
// Integers are big-endian. The seal is a hash of the ARN, the three numbers and a secret of the
// stream: what a client has changed, or made up, is refused. Nothing depends on it but the message,
// for every part is checked when it is used.
#ifndef STATOR_API_STREAMS_SHARD_ITERATOR_H_
#define STATOR_API_STREAMS_SHARD_ITERATOR_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "engine/streams/stream.h"

namespace stator {

inline constexpr std::chrono::minutes kShardIteratorLife{15};

struct ShardIterator {
  ShardNumber shard = 0;
  std::uint64_t position = 0;  // engine/streams/stream_page.h
  TimeMs issued{};
  bool operator==(const ShardIterator&) const = default;
};

std::string EncodeShardIterator(const Stream& stream, const ShardIterator& iterator);

// The ARN in front; nothing if the text is not an iterator.
std::optional<std::string_view> ArnOfShardIterator(std::string_view text);
// Nothing if the text is not an iterator of this stream.
std::optional<ShardIterator> DecodeShardIterator(const Stream& stream, std::string_view text);

}  // namespace stator

#endif  // STATOR_API_STREAMS_SHARD_ITERATOR_H_
