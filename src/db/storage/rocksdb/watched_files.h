// WatchedFiles: the file system below a database. It tells the directory's ledger what becomes
// durable, and defers the syncs of a creation.
//
// RocksDB syncs a dozen files and directories while it creates a database, each a trip to the disk,
// although the database is still empty. One sync of the whole file system makes up for them before
// the directory's marker says that there is a database.
#ifndef STATOR_STORAGE_ROCKSDB_WATCHED_FILES_H_
#define STATOR_STORAGE_ROCKSDB_WATCHED_FILES_H_

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "storage/rocksdb/ledger.h"

namespace stator {

struct WatchedFiles {
  // `below` is the file system; `database_path` the directory whose files are watched.
  WatchedFiles(std::shared_ptr<rocksdb::FileSystem> below, const std::string& database_path,
               std::shared_ptr<LedgerKeeper> keeper, bool defers_syncs);

  std::shared_ptr<LedgerKeeper> keeper;
  std::shared_ptr<std::atomic<bool>> defers_syncs;
  // True after a log could not be written or synced: RocksDB gets no new log until it is set to false.
  std::shared_ptr<std::atomic<bool>> log_has_failed;
  std::shared_ptr<std::atomic<std::uint64_t>> newest_log;  // its number
  std::unique_ptr<rocksdb::Env> env;                       // for RocksDB
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_WATCHED_FILES_H_
