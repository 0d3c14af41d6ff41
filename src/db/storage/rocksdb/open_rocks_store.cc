// OpenRocksStore: finds out whether a directory can be opened, and says why not.
#include <fmt/format.h>
#include <rocksdb/db.h>

#include <memory>
#include <utility>

#include "base/try.h"
#include "storage/rocksdb/checkpoint_directory.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/rocks_settings.h"
#include "storage/rocksdb/rocks_status.h"
#include "storage/rocksdb/rocks_store.h"
#include "storage/rocksdb/torn_log.h"

namespace stator {
namespace {

StorageError OpenFailure(const rocksdb::Status& status, const std::string& directory) {
  StorageError error = FromRocks(status, "open the database in " + directory);
  // The marker says that there is a database; without one RocksDB calls the argument invalid.
  if (status.IsInvalidArgument()) error.kind = StorageError::Kind::kCorrupt;
  if (error.kind == StorageError::Kind::kCorrupt) {
    error.message += "; the files are damaged and were left as they are, restore a backup";
  }
  return error;
}

// What a power cut may leave of the log, and what it cannot.
//
// With an fsync in every commit only the end of the log can be damaged, by the commit that nobody
// has been told of: RocksDB overlooks an end that was cut off, and IsNewestLogTorn finds one that
// was written in part. Any other damage is reported. Without, commits may reach the disk in any
// order, and those before the first damage count.
rocksdb::Status OpenAndRecover(rocksdb::Options settings, const std::string& path, SyncMode sync,
                               rocksdb::DB** db) {
  using rocksdb::WALRecoveryMode;
  settings.wal_recovery_mode = sync == SyncMode::kAlways
                                   ? WALRecoveryMode::kTolerateCorruptedTailRecords
                                   : WALRecoveryMode::kPointInTimeRecovery;
  rocksdb::Status status = rocksdb::DB::Open(settings, path, db);
  if (!status.IsCorruption() || sync != SyncMode::kAlways || !IsNewestLogTorn(path)) return status;
  settings.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  // Rids us of the torn log, which would be a damaged one in the midst of others later.
  settings.avoid_flush_during_recovery = false;
  return rocksdb::DB::Open(settings, path, db);
}

StorageResult<std::unique_ptr<rocksdb::DB>> OpenDatabase(const DataDirectory& directory,
                                                         const RocksCaches& caches,
                                                         const CreationEnv* creation,
                                                         SyncMode sync) {
  rocksdb::Options settings = RocksSettings(caches);
  if (creation != nullptr) settings.env = creation->get();
  // Only then: in place of a damaged database RocksDB would make an empty one.
  settings.create_if_missing = directory.is_new();
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = OpenAndRecover(settings, directory.DatabasePath(), sync, &db);
  if (!status.ok()) return std::unexpected(OpenFailure(status, directory.path()));
  return std::unique_ptr<rocksdb::DB>(db);
}

}  // namespace

StorageResult<std::unique_ptr<Store>> OpenRocksStore(const RocksOptions& options) {
  const std::string opening = "open " + options.directory;
  return CatchingRocks(opening, [&]() -> StorageResult<std::unique_ptr<Store>> {
    ASSIGN_OR_RETURN(DataDirectory directory, DataDirectory::Open(options.directory));
    RocksCaches caches = MakeRocksCaches(options.cache_bytes);
    auto creation = directory.is_new() ? std::make_unique<CreationEnv>() : nullptr;
    ASSIGN_OR_RETURN(auto db, OpenDatabase(directory, caches, creation.get(), options.sync));
    if (creation) {
      creation->StopDeferring();
      RETURN_IF_ERROR(directory.FinishCreation());
    } else {
      RETURN_IF_ERROR(CheckpointDirectory(directory.CheckpointsPath()).RemoveHalfMade());
    }
    return std::make_unique<RocksStore>(std::move(directory), std::move(caches),
                                        std::move(creation), std::move(db), options.sync);
  });
}

}  // namespace stator
