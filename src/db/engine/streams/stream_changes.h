// How a stream begins, grows, and ends. All of this is for the background thread.
//
// A shard ends in two steps, because writers may be deciding at that moment. First the table's row
// stops naming it, in one commit with the stream's row; then a barrier makes sure that every writer
// who knew it is done, and the number of its last record is stored as its end. After a crash in
// between the second step is done at the next start: a shard without an end that the table does not
// name is one that has to be closed.
#ifndef STATOR_ENGINE_STREAMS_STREAM_CHANGES_H_
#define STATOR_ENGINE_STREAMS_STREAM_CHANGES_H_

#include <cstdint>
#include <optional>
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

// Takes the table's stream off it. REQUIRES: it has one.
Stream EndStream(const StreamCatalog& streams, TimeMs now, Table& table);

// What takes the place of a shard.
enum class ShardSuccession : std::uint8_t {
  kStay,
  kChild,     // one with the same range
  kChildren,  // two with a half each; one if the range cannot be halved
};
// Opens the successors of shards. `successions` has one entry a shard of the table.
Stream ReplaceShards(const Stream& stream, const std::vector<ShardSuccession>& successions,
                     TimeMs now, TableStream& table_stream);

// A shard that records may reach no more has no end yet.
bool HasShardsToClose(const Stream& stream, const Catalog& catalog);
// Gives them their ends.
Result<void> CloseShards(Store& store, const Catalog& catalog, StreamCatalog& streams,
                         StreamNumber number, TimeMs now);

}  // namespace stator

#endif  // STATOR_ENGINE_STREAMS_STREAM_CHANGES_H_
