// How RocksDB is set up.
#ifndef STATOR_STORAGE_ROCKSDB_ROCKS_SETTINGS_H_
#define STATOR_STORAGE_ROCKSDB_ROCKS_SETTINGS_H_

#include <rocksdb/options.h>

#include <cstddef>
#include <memory>

namespace stator {

// Cached blocks, indexes, filters and memtables together stay near `cache_bytes`.
rocksdb::Options RocksSettings(const std::shared_ptr<rocksdb::Cache>& cache);

std::shared_ptr<rocksdb::Cache> MakeRocksCache(std::size_t cache_bytes);

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_ROCKS_SETTINGS_H_
