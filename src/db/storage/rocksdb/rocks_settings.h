// How RocksDB is configured, and what Stator keeps in memory of a database.
#ifndef STATOR_STORAGE_ROCKSDB_ROCKS_SETTINGS_H_
#define STATOR_STORAGE_ROCKSDB_ROCKS_SETTINGS_H_

#include <rocksdb/cache.h>
#include <rocksdb/options.h>

#include <cstddef>
#include <memory>

#include "storage/rocksdb/row_cache.h"
#include "storage/store.h"

namespace stator {

// Together they stay near the number of bytes given to MakeRocksCaches.
struct RocksCaches {
  std::shared_ptr<rocksdb::Cache> blocks;  // data, indexes and filters of files, and memtables
  std::shared_ptr<RowCache> rows;          // whole rows, for reads by key
  std::size_t UsedBytes() const;
};
RocksCaches MakeRocksCaches(std::size_t cache_bytes);

rocksdb::Options RocksSettings(const RocksCaches& caches,
                               std::size_t write_buffer_bytes = RocksOptions().write_buffer_bytes);

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_ROCKS_SETTINGS_H_
