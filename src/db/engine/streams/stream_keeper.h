// Keeps streams in shape: replaces shards that are old or have grown, and forgets what is older
// than the time for which records are kept. A duty of the background thread.
#ifndef STATOR_ENGINE_STREAMS_STREAM_KEEPER_H_
#define STATOR_ENGINE_STREAMS_STREAM_KEEPER_H_

#include <chrono>
#include <cstdint>
#include <unordered_map>

#include "base/clock.h"
#include "engine/catalog/catalog.h"
#include "engine/streams/stream.h"
#include "engine/streams/stream_catalog.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// When a shard is replaced.
struct ShardLimits {
  std::int64_t records = 1'000'000;                       // by two halves
  std::int64_t bytes = std::int64_t{256} << 20;           // by two halves
  std::chrono::milliseconds age = std::chrono::hours(4);  // by one child
};

class StreamKeeper {
 public:
  StreamKeeper(Store& store, Catalog& catalog, StreamCatalog& streams, const Clock& clock,
               const ShardLimits& limits);

  // Does one slice; tells how long it can rest, nothing while there is more to do.
  std::chrono::milliseconds Step();

 private:
  // These tell whether they did something.
  Result<bool> Tend(const Stream& stream, TimeMs now);
  Result<bool> ReplaceDueShards(const Stream& stream, TimeMs now);
  Result<bool> Trim(const Stream& stream, TimeMs now);
  Result<bool> TrimShard(const Stream& stream, const StreamShard& shard, TimeMs now,
                         TimeMs& next_look);
  Result<bool> ForgetOld(const Stream& stream, TimeMs now);

  Store& store_;
  Catalog& catalog_;
  StreamCatalog& streams_;
  const Clock& clock_;
  const ShardLimits limits_;
  // When the oldest record of a stream is due. Not before that need its logs be looked at.
  std::unordered_map<StreamNumber, TimeMs> next_trim_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_STREAMS_STREAM_KEEPER_H_
