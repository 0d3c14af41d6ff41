// The life of a stream: how it begins, how its shards are replaced, how it ends and is forgotten. All
// of this is for the background thread.
//
// A shard ends in two steps, because writers may be deciding at that moment. First the table's row
// stops naming it, in one commit with the stream's row. Then a barrier makes sure that every writer
// that knew the shard is done, and the number of its last record is stored as its end. After a crash
// in between, the next start does the second step: it closes every shard without an end that the
// table does not name.
#ifndef STATOR_ENGINE_STREAMS_STREAM_LIFECYCLE_H_
#define STATOR_ENGINE_STREAMS_STREAM_LIFECYCLE_H_

#include <chrono>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/clock.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "engine/streams/stream.h"
#include "engine/streams/stream_catalog.h"
#include "stator/result.h"
#include "storage/store.h"

namespace stator {

// Gives the table a new stream. REQUIRES: it has none.
Stream BeginStream(const StreamCatalog& streams, StreamViewType view, TimeMs now, Table& table);

// Ends the table's stream. REQUIRES: it has one.
Stream EndStream(const StreamCatalog& streams, TimeMs now, Table& table);

// What replaces a shard.
enum class ShardSuccession : std::uint8_t {
  kStay,
  kChild,     // one shard with the same range
  kChildren,  // two shards with half the range each; one if the range cannot be halved
};
// Opens the successors of shards. `successions` has one entry per shard of the table.
Stream ReplaceShards(const Stream& stream, const std::vector<ShardSuccession>& successions,
                     TimeMs now, TableStream& table_stream);

// Whether a shard that no record can reach any more has no end yet.
bool HasShardsToClose(const Stream& stream, const Catalog& catalog);
// Gives such shards their ends.
Result<void> CloseShards(Store& store, const Catalog& catalog, StreamCatalog& streams,
                         StreamNumber number, TimeMs now);

// When a shard is replaced.
struct ShardLimits {
  std::int64_t records = 1'000'000;                       // by two halves
  std::int64_t bytes = std::int64_t{256} << 20;           // by two halves
  std::chrono::milliseconds age = std::chrono::hours(4);  // by one child
};

// Keeps streams in shape: replaces shards that are old or large, and removes what is older than
// kStreamRetention. A duty of the background thread.
class StreamKeeper {
 public:
  StreamKeeper(Store& store, Catalog& catalog, StreamCatalog& streams, const Clock& clock,
               const ShardLimits& limits);

  // Does one slice of the work. Says how long it can rest: not at all while there is more to do.
  std::chrono::milliseconds Step();

 private:
  // These return whether they did something.
  Result<bool> Maintain(const Stream& stream, TimeMs now);
  Result<bool> ReplaceDueShards(const Stream& stream, TimeMs now);
  Result<std::vector<ShardSuccession>> DueSuccessions(const Stream& stream, const Table& table,
                                                      TimeMs now) const;
  Result<bool> Trim(const Stream& stream, TimeMs now);
  Result<bool> TrimShard(const Stream& stream, const StreamShard& shard, TimeMs now,
                         TimeMs& next_look);
  Result<bool> ForgetOld(const Stream& stream, TimeMs now);

  Store& store_;
  Catalog& catalog_;
  StreamCatalog& streams_;
  const Clock& clock_;
  const ShardLimits limits_;
  // When the oldest record of a stream is due: until then its logs need not be read.
  std::unordered_map<StreamNumber, TimeMs> next_trim_;
};

}  // namespace stator

#endif  // STATOR_ENGINE_STREAMS_STREAM_LIFECYCLE_H_
