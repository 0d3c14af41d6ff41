// Records of a stream: what a change leaves for the readers of its table's stream.
#ifndef STATOR_ENGINE_STREAM_RECORD_H_
#define STATOR_ENGINE_STREAM_RECORD_H_

#include "storage/store.h"

namespace stator {

struct ItemChange;

// Adds the change to the open shard of its partition. REQUIRES: the table has a stream.
void AppendStreamRecord(const ItemChange& change, WriteBatch& batch);

}  // namespace stator

#endif  // STATOR_ENGINE_STREAM_RECORD_H_
