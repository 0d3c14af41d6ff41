// The order in which files reach the disk, where RocksDB leaves it to the operating system.
//
// A database is its tables and what the logs add to them, so only the end of the newest log may be
// missing. RocksDB does not see that an older log has lost its end because its bytes were still in
// memory when those of a newer log were written.
#ifndef STATOR_STORAGE_ROCKSDB_ORDERED_FILES_H_
#define STATOR_STORAGE_ROCKSDB_ORDERED_FILES_H_

#include <rocksdb/file_system.h>

#include <memory>

namespace stator {

// A file system on which CURRENT names a manifest only after that manifest's own name is durable, and,
// with `syncs_logs`, a log is created only after the log before it and all that was written to it are durable.
// Who syncs every commit does not need the latter.
std::shared_ptr<rocksdb::FileSystem> MakeOrdered(std::shared_ptr<rocksdb::FileSystem> below,
                                                 bool syncs_logs);

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_ORDERED_FILES_H_
