// A checkpoint on a disk, opened to be read.
#ifndef STATOR_STORAGE_ROCKSDB_ROCKS_CHECKPOINT_H_
#define STATOR_STORAGE_ROCKSDB_ROCKS_CHECKPOINT_H_

#include <memory>
#include <string>

#include "storage/store.h"

namespace stator {

// Changes nothing in the directory, and keeps little in memory.
StorageResult<std::unique_ptr<Checkpoint>> OpenRocksCheckpoint(const std::string& path);

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_ROCKS_CHECKPOINT_H_
