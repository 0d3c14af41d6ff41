// OpenRocksStore: opens a data directory, creating or recovering its database, or says why it cannot.
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/log.h"
#include "base/try.h"
#include "storage/rocksdb/checkpoint_directory.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/directory_check.h"
#include "storage/rocksdb/disk_space.h"
#include "storage/rocksdb/files.h"
#include "storage/rocksdb/ledger.h"
#include "storage/rocksdb/ordered_files.h"
#include "storage/rocksdb/rocks_calls.h"
#include "storage/rocksdb/rocks_settings.h"
#include "storage/rocksdb/rocks_store.h"
#include "storage/rocksdb/watched_files.h"

namespace stator {
namespace {

StorageError OpenFailure(const rocksdb::Status& status, const std::string& directory) {
  StorageError error = FromRocks(status, "open the database in " + directory);
  // RocksDB calls the argument invalid if there is no database, but the marker says there is one.
  if (status.IsInvalidArgument()) error.kind = StorageError::Kind::kCorrupt;
  if (error.kind == StorageError::Kind::kCorrupt) {
    error.message += fmt::format(
        "; the files were left as they are. `stator verify {0}` says what is damaged, `stator "
        "repair "
        "{0} --to NEW` saves what can be read; or restore a backup",
        directory);
  }
  return error;
}

StorageResult<std::unique_ptr<rocksdb::DB>> OpenDatabase(const DataDirectory& directory,
                                                         const RocksCaches& caches,
                                                         rocksdb::Env* env,
                                                         const DirectoryCheck& check,
                                                         const RocksOptions& options) {
  using rocksdb::WALRecoveryMode;
  rocksdb::Options settings = RocksSettings(caches, options.write_buffer_bytes);
  settings.env = env;
  // In memory there is nothing to wait for.
  if (!directory.files().IsMachines()) settings.max_file_opening_threads = 1;
  // Only then, or RocksDB would put an empty database in place of a damaged one.
  settings.create_if_missing = directory.is_new();
  // The logs have been read: they are whole, or damaged where they may be.
  settings.wal_recovery_mode = WALRecoveryMode::kAbsoluteConsistency;
  if (check.drops_log_end) settings.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  // After an unclean stop the commits of the logs go into a table at once. A torn log that is kept would
  // be a damaged log before newer ones, and one that was only read may not be on disk at all.
  settings.avoid_flush_during_recovery = check.is_clean;
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status = rocksdb::DB::Open(settings, directory.DatabasePath(), &db);
  if (!status.ok()) return std::unexpected(OpenFailure(status, directory.path()));
  return std::unique_ptr<rocksdb::DB>(db);
}

// Tells the log what was found. A start after an orderly stop has nothing to tell.
void LogFindings(const std::string& directory, const DirectoryCheck& check) {
  for (const std::string& remark : check.remarks) {
    Log(LogLevel::kWarning, "a file that is not needed is damaged",
        {{"directory", directory}, {"what", remark}});
  }
  if (check.is_clean) return;
  const LogLevel level = check.dropped_bytes > 0 ? LogLevel::kWarning : LogLevel::kInfo;
  Log(level, "recovered after an unclean stop",
      {{"directory", directory},
       {"last_commit", check.last_number},
       {"log", check.newest_log},
       {"dropped_bytes", check.dropped_bytes}});
}

StorageResult<DirectoryCheck> CheckBeforeOpening(rocksdb::FileSystem& files,
                                                 const DataDirectory& directory, SyncMode sync) {
  DirectoryCheck check;
  if (directory.is_new()) return check;
  check = CheckDirectory(files, directory.path(), directory.DatabasePath(), directory.has_ledger(),
                         sync);
  if (!check.problems.empty()) return std::unexpected(DamageError(directory.path(), check));
  LogFindings(directory.path(), check);
  return check;
}

// An edit of the manifest that was never finished was never acknowledged either. And behind the damage
// in a log RocksDB would go on with the next commit that it can read, if the damage is zeros.
StorageResult<void> CutTornFiles(const DirectoryCheck& check, const Files& files) {
  for (const std::optional<DirectoryCheck::Torn>& torn : {check.torn_manifest, check.torn_log}) {
    if (torn) RETURN_IF_ERROR(files.CutOff(torn->path, torn->sound_bytes));
  }
  return {};
}

StorageResult<void> FinishOpening(DataDirectory& directory, const WatchedFiles& files) {
  const std::string writing = "write the ledger of " + directory.path();
  files.defers_syncs->store(false);
  RETURN_IF_ERROR(CheckRocks(files.keeper->Opened(), writing));
  if (directory.is_new()) return directory.FinishCreation();
  if (!directory.has_ledger()) {
    RETURN_IF_ERROR(directory.FinishUpgrade());
    Log(LogLevel::kInfo,
        "the data directory has got a ledger of its files: older versions of this "
        "program cannot open it any more",
        {{"directory", directory.path()}});
  }
  return CheckpointDirectory(directory.CheckpointsPath(), directory.files()).Settle();
}

}  // namespace

StorageResult<std::unique_ptr<Store>> OpenRocksStore(const RocksOptions& options) {
  const std::string opening = "open " + options.directory;
  return CatchingRocks(opening, [&]() -> StorageResult<std::unique_ptr<Store>> {
    ASSIGN_OR_RETURN(DataDirectory directory,
                     DataDirectory::Open(options.directory, Files(options.env)));
    RETURN_IF_ERROR(DiskSpace(options.directory, directory.files()).Check());
    const std::shared_ptr<rocksdb::FileSystem> disk =
        MakeOrdered(directory.files().env()->GetFileSystem(), options.sync != SyncMode::kAlways);
    ASSIGN_OR_RETURN(DirectoryCheck check, CheckBeforeOpening(*disk, directory, options.sync));
    RocksCaches caches = MakeRocksCaches(options.cache_bytes);
    check.ledger.sync = options.sync;
    const auto keeper = std::make_shared<LedgerKeeper>(
        disk, fmt::format("{}/{}", directory.path(), kLedgerName), std::move(check.ledger));
    // Other file systems than the machine's cannot sync everything in one call.
    const bool defers_syncs = directory.is_new() && directory.files().IsMachines();
    WatchedFiles files(disk, directory.DatabasePath(), keeper, defers_syncs);
    RETURN_IF_ERROR(CutTornFiles(check, directory.files()));
    ASSIGN_OR_RETURN(auto db, OpenDatabase(directory, caches, files.env.get(), check, options));
    RETURN_IF_ERROR(FinishOpening(directory, files));
    return std::make_unique<RocksStore>(std::move(directory), std::move(caches), std::move(files),
                                        std::move(db), options);
  });
}

}  // namespace stator
