// Tells a log that a power cut left unfinished from one that was damaged later.
#ifndef STATOR_STORAGE_ROCKSDB_TORN_LOG_H_
#define STATOR_STORAGE_ROCKSDB_TORN_LOG_H_

#include <string>

namespace stator {

// Whether RocksDB's newest log in this directory is damaged, and no commit begins behind the
// damage. A commit that was acknowledged is on disk before the next begins, so nothing of the sort
// is lost by leaving the damaged part out.
bool IsNewestLogTorn(const std::string& database_path);

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_TORN_LOG_H_
