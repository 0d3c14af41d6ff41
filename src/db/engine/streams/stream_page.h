// Reading the records of a shard, page by page.
#ifndef STATOR_ENGINE_STREAMS_STREAM_PAGE_H_
#define STATOR_ENGINE_STREAMS_STREAM_PAGE_H_

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/streams/stream.h"
#include "stator/result.h"
#include "stator/streams.h"
#include "storage/store.h"

namespace stator {

// A position in a shard's log is the number of the next record to read. This one stands for the
// oldest record that exists when the position is used.
inline constexpr std::uint64_t kTrimHorizon = 0;

struct StreamPage {
  std::vector<StreamRecord> records;  // without their region
  std::uint64_t next = 0;             // where to continue
  bool is_end = false;                // the shard is closed and has no more
};

struct StreamPagePlan {
  const Stream& stream;
  const StreamShard& shard;  // of the stream
  std::uint64_t position = kTrimHorizon;
  std::size_t limit = 1000;
  TimeMs now{};
};

// At most `limit` records and 1 MB, but at least one if there is one. TrimmedDataAccess if the record
// at the position existed and has been trimmed.
Result<StreamPage> ReadStreamPage(const Store& store, const StreamPagePlan& plan);

// The position after the newest record.
Result<std::uint64_t> LatestPosition(const Store& store, const Stream& stream,
                                     const StreamShard& shard);
// Whether a position lies after everything the shard has ever held, or before what it still holds.
enum class PositionState : std::uint8_t { kTrimmed, kReadable, kUnknown };
Result<PositionState> StateOf(const Store& store, const Stream& stream, const StreamShard& shard,
                              std::uint64_t position, TimeMs now);

}  // namespace stator

#endif  // STATOR_ENGINE_STREAMS_STREAM_PAGE_H_
