// OpenRocksStore: opens a data directory, creating or recovering its database, or says why it cannot.
#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/try.h"
#include "storage/rocksdb/checkpoint_directory.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/disk_space.h"
#include "storage/rocksdb/files.h"
#include "storage/rocksdb/rocks_calls.h"
#include "storage/rocksdb/rocks_settings.h"
#include "storage/rocksdb/rocks_store.h"
#include "storage/rocksdb/waitless_files.h"

namespace stator {
namespace {

// --- Creation ------------------------------------------------------------------------------------
//
// RocksDB syncs a dozen files and directories while it creates a database, each a trip to the disk,
// although the database is still empty. CreationEnv defers these syncs; one sync of the whole file
// system makes up for them before the directory's marker says that there is a database.

using Deferring = std::shared_ptr<std::atomic<bool>>;  // true while syncs are deferred
using rocksdb::FileOptions;
using rocksdb::IODebugContext;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

class DeferringFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  DeferringFile(std::unique_ptr<rocksdb::FSWritableFile> file, Deferring deferring)
      : FSWritableFileOwnerWrapper(std::move(file)), deferring_(std::move(deferring)) {}

  IOStatus Sync(const IOOptions& options, IODebugContext* context) override {
    if (deferring_->load()) return Flush(options, context);
    return FSWritableFileOwnerWrapper::Sync(options, context);
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    if (deferring_->load()) return Flush(options, context);
    return FSWritableFileOwnerWrapper::Fsync(options, context);
  }

 private:
  const Deferring deferring_;
};

class DeferringDirectory final : public rocksdb::FSDirectoryWrapper {
 public:
  DeferringDirectory(std::unique_ptr<rocksdb::FSDirectory> directory, Deferring deferring)
      : FSDirectoryWrapper(std::move(directory)), deferring_(std::move(deferring)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* context) override {
    if (deferring_->load()) return IOStatus::OK();
    return FSDirectoryWrapper::Fsync(options, context);
  }
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* context,
                               const rocksdb::DirFsyncOptions& reason) override {
    if (deferring_->load()) return IOStatus::OK();
    return FSDirectoryWrapper::FsyncWithDirOptions(options, context, reason);
  }

 private:
  const Deferring deferring_;
};

class DeferringFileSystem final : public rocksdb::FileSystemWrapper {
 public:
  explicit DeferringFileSystem(Deferring deferring)
      : FileSystemWrapper(WaitlessFileSystem()), deferring_(std::move(deferring)) {}

  const char* Name() const override { return "DeferringFileSystem"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options,
                           std::unique_ptr<rocksdb::FSWritableFile>* result,
                           IODebugContext* context) override {
    IOStatus status = FileSystemWrapper::NewWritableFile(path, options, result, context);
    if (status.ok() && deferring_->load()) {
      *result = std::make_unique<DeferringFile>(std::move(*result), deferring_);
    }
    return status;
  }
  IOStatus NewDirectory(const std::string& path, const IOOptions& options,
                        std::unique_ptr<rocksdb::FSDirectory>* result,
                        IODebugContext* context) override {
    IOStatus status = FileSystemWrapper::NewDirectory(path, options, result, context);
    if (status.ok() && deferring_->load()) {
      *result = std::make_unique<DeferringDirectory>(std::move(*result), deferring_);
    }
    return status;
  }

 private:
  const Deferring deferring_;
};

struct CreationEnv {
  Deferring deferring = std::make_shared<std::atomic<bool>>(true);
  std::unique_ptr<rocksdb::Env> env =
      rocksdb::NewCompositeEnv(std::make_shared<DeferringFileSystem>(deferring));
};

// --- A torn log ----------------------------------------------------------------------------------
//
// RocksDB's log is a sequence of blocks of 32 KiB (the last may be shorter), each filled with
// records:
//
//   record := checksum (4 bytes, little-endian) · length (2, little-endian) · type (1) ·
//             payload (length)
//   type   := 1 a whole commit | 2 its first part | 3 a middle part | 4 its last part
//
// The checksum is the masked CRC-32C of type and payload. Fewer than seven bytes at the end of a
// block are left zero.

constexpr std::size_t kBlockBytes = 32 * 1024;
constexpr std::size_t kHeaderBytes = 7;
constexpr unsigned kWhole = 1;
constexpr unsigned kFirst = 2;
constexpr unsigned kLast = 4;

constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78U : 0U);
    table[byte] = crc;
  }
  return table;
}();

std::uint32_t MaskedCrc32c(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char byte : bytes) {
    crc = crc >> 8 ^ kCrcTable[(crc ^ static_cast<unsigned char>(byte)) & 0xff];
  }
  crc = ~crc;
  return (crc >> 15 | crc << 17) + 0xa282ead8U;
}

std::uint32_t LittleEndian(std::string_view bytes) {
  std::uint32_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return number;
}

struct LogRecord {
  unsigned type = 0;
  std::size_t bytes = 0;
};

// The record at the beginning of the text; nullopt if it is damaged.
std::optional<LogRecord> ReadRecord(std::string_view text) {
  if (text.size() < kHeaderBytes) return std::nullopt;
  const std::size_t length = LittleEndian(text.substr(4, 2));
  const unsigned type = static_cast<unsigned char>(text[6]);
  if (type < kWhole || type > kLast || text.size() < kHeaderBytes + length) return std::nullopt;
  if (LittleEndian(text.substr(0, 4)) != MaskedCrc32c(text.substr(6, 1 + length))) {
    return std::nullopt;
  }
  return LogRecord{type, kHeaderBytes + length};
}

enum class LogState : std::uint8_t { kSound, kDamaged, kCommitAfterDamage };

// After damage no length can be trusted: a record may begin at any byte.
LogState Examine(std::string_view block, LogState state) {
  while (block.size() >= kHeaderBytes) {
    const std::optional<LogRecord> record = ReadRecord(block);
    if (!record) {
      state = LogState::kDamaged;
      block.remove_prefix(1);
      continue;
    }
    const bool begins_commit = record->type == kWhole || record->type == kFirst;
    if (state == LogState::kDamaged && begins_commit) return LogState::kCommitAfterDamage;
    block.remove_prefix(record->bytes);
  }
  return state;
}

// A log's name is a number of at least six digits.
StorageResult<std::string> NewestLog(const Files& files, const std::string& database_path) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, files.List(database_path));
  std::string newest;
  for (const std::string& name : names) {
    if (!name.ends_with(".log")) continue;
    if (name.size() > newest.size() || (name.size() == newest.size() && name > newest))
      newest = name;
  }
  return database_path + "/" + newest;
}

// Whether RocksDB's newest log in this directory is damaged and no commit begins after the damage.
// A commit is on disk before the next one begins, so leaving the damaged part out of such a log loses
// no acknowledged commit.
StorageResult<bool> IsNewestLogTorn(const Files& files, const std::string& database_path) {
  ASSIGN_OR_RETURN(const std::string path, NewestLog(files, database_path));
  ASSIGN_OR_RETURN(const std::string log, files.Read(path, std::string::npos));
  LogState state = LogState::kSound;
  for (std::size_t at = 0; at < log.size() && state != LogState::kCommitAfterDamage;
       at += kBlockBytes) {
    state = Examine(std::string_view(log).substr(at, kBlockBytes), state);
  }
  return state == LogState::kDamaged;
}

// --- Opening -------------------------------------------------------------------------------------

StorageError OpenFailure(const rocksdb::Status& status, const std::string& directory) {
  StorageError error = FromRocks(status, "open the database in " + directory);
  // RocksDB calls the argument invalid if there is no database, but the marker says there is one.
  if (status.IsInvalidArgument()) error.kind = StorageError::Kind::kCorrupt;
  if (error.kind == StorageError::Kind::kCorrupt) {
    error.message += "; the files are damaged and were left as they are, restore a backup";
  }
  return error;
}

// Tells what a power cut can do to a log from damage that must be reported.
//
// With an fsync in every commit a power cut can damage only the end of the log: the one commit that
// has not been acknowledged. RocksDB tolerates an end that is cut off, and IsNewestLogTorn
// recognises one that was written in part; any other damage is reported. Without the fsyncs the log
// may reach the disk in any order, and the commits before the first damage count.
rocksdb::Status OpenAndRecover(rocksdb::Options settings, const Files& files,
                               const std::string& path, SyncMode sync, rocksdb::DB** db) {
  using rocksdb::WALRecoveryMode;
  settings.wal_recovery_mode = sync == SyncMode::kAlways
                                   ? WALRecoveryMode::kTolerateCorruptedTailRecords
                                   : WALRecoveryMode::kPointInTimeRecovery;
  rocksdb::Status status = rocksdb::DB::Open(settings, path, db);
  if (!status.IsCorruption() || sync != SyncMode::kAlways ||
      !IsNewestLogTorn(files, path).value_or(false))
    return status;
  settings.wal_recovery_mode = WALRecoveryMode::kPointInTimeRecovery;
  // Flushing lets RocksDB drop the torn log. Kept, it would soon be a damaged log before newer ones.
  settings.avoid_flush_during_recovery = false;
  return rocksdb::DB::Open(settings, path, db);
}

StorageResult<std::unique_ptr<rocksdb::DB>> OpenDatabase(const DataDirectory& directory,
                                                         const RocksCaches& caches,
                                                         rocksdb::Env* creation_env,
                                                         SyncMode sync) {
  rocksdb::Options settings = RocksSettings(caches);
  settings.env = creation_env != nullptr ? creation_env : directory.files().env();
  // Only then, or RocksDB would put an empty database in place of a damaged one.
  settings.create_if_missing = directory.is_new();
  // RocksDB complains to the log about a missing directory; what else is wrong with it, it says itself.
  if (directory.is_new()) {
    static_cast<void>(directory.files().MakeDirectories(directory.DatabasePath()));
  }
  rocksdb::DB* db = nullptr;
  const rocksdb::Status status =
      OpenAndRecover(settings, directory.files(), directory.DatabasePath(), sync, &db);
  if (!status.ok()) return std::unexpected(OpenFailure(status, directory.path()));
  return std::unique_ptr<rocksdb::DB>(db);
}

}  // namespace

StorageResult<std::unique_ptr<Store>> OpenRocksStore(const RocksOptions& options) {
  const std::string opening = "open " + options.directory;
  return CatchingRocks(opening, [&]() -> StorageResult<std::unique_ptr<Store>> {
    ASSIGN_OR_RETURN(DataDirectory directory,
                     DataDirectory::Open(options.directory, Files(options.env)));
    RETURN_IF_ERROR(DiskSpace(options.directory, directory.files()).Check());
    RocksCaches caches = MakeRocksCaches(options.cache_bytes);
    std::optional<CreationEnv> creation;
    // Other file systems than the machine's cannot sync everything in one call.
    const bool is_new = directory.is_new();
    if (is_new && directory.files().IsMachines()) creation.emplace();
    rocksdb::Env* const env = creation ? creation->env.get() : nullptr;
    ASSIGN_OR_RETURN(auto db, OpenDatabase(directory, caches, env, options.sync));
    if (creation) creation->deferring->store(false);
    if (is_new) {
      RETURN_IF_ERROR(directory.FinishCreation());
    } else {
      RETURN_IF_ERROR(
          CheckpointDirectory(directory.CheckpointsPath(), directory.files()).RemoveHalfMade());
    }
    return std::make_unique<RocksStore>(std::move(directory), std::move(caches),
                                        creation ? std::move(creation->env) : nullptr,
                                        std::move(db), options);
  });
}

}  // namespace stator
