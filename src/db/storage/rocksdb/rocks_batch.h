// Turns the writes of a commit into a batch of RocksDB.
#ifndef STATOR_STORAGE_ROCKSDB_ROCKS_BATCH_H_
#define STATOR_STORAGE_ROCKSDB_ROCKS_BATCH_H_

#include <rocksdb/write_batch.h>

#include <span>

#include "storage/round.h"
#include "storage/store.h"

namespace stator {

// `store` is where the batch will be written, with no other commit in between.
StorageResult<void> BuildBatch(const Store& store, std::span<const Write> writes,
                               rocksdb::WriteBatch& batch);

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_ROCKS_BATCH_H_
