#include "storage/rocksdb/checkpoint_directory.h"

#include <fmt/format.h>
#include <rocksdb/cache.h>
#include <rocksdb/env.h>
#include <rocksdb/table.h>
#include <rocksdb/utilities/checkpoint.h>

#include <algorithm>
#include <cstdarg>
#include <filesystem>

#include "base/try.h"
#include "storage/rocksdb/directory_check.h"
#include "storage/rocksdb/rocks_calls.h"
#include "storage/rocksdb/rocks_settings.h"
#include "storage/rocksdb/waitless_files.h"

namespace stator {
namespace {

constexpr std::string_view kHalfMade = ".new";

constexpr std::size_t kCacheBytes = std::size_t{2} << 20;
constexpr int kMaxOpenFiles = 32;
constexpr std::size_t kImportCacheBytes = std::size_t{64} << 20;

// RocksDB would otherwise write its log file into the checkpoint.
class SilentLogger final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

class RocksCheckpoint final : public Checkpoint {
 public:
  RocksCheckpoint(std::shared_ptr<rocksdb::Env> env, std::unique_ptr<rocksdb::DB> db,
                  std::string reading)
      : env_(std::move(env)), db_(std::move(db)), reading_(std::move(reading)) {}

  StorageResult<bool> Get(std::string_view key, std::string& value) const override {
    return GetFromRocks(*db_, key, value, reading_);
  }

  StorageResult<void> Scan(const KeyRange& range, Direction direction,
                           const Visitor& visit) const override {
    rocksdb::ReadOptions options;
    options.fill_cache = false;
    return ScanRocks(*db_, options, range, direction, visit, reading_);
  }

 private:
  const std::shared_ptr<rocksdb::Env> env_;  // of the database, if nobody else keeps it
  const std::unique_ptr<rocksdb::DB> db_;
  const std::string reading_;  // "read from …", for messages
};

bool IsId(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  });
}

}  // namespace

rocksdb::Options ReadingOptions(const Files& files) {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(kCacheBytes);
  table.cache_index_and_filter_blocks = true;
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.env = files.env();
  options.max_open_files = kMaxOpenFiles;
  options.max_file_opening_threads = 1;
  options.skip_stats_update_on_db_open = true;
  options.info_log = std::make_shared<SilentLogger>();
  return options;
}

StorageResult<std::unique_ptr<Checkpoint>> OpenReadOnly(const std::string& path, const Files& files,
                                                        std::shared_ptr<rocksdb::Env> env,
                                                        std::string_view opening) {
  return CatchingRocks(opening, [&]() -> StorageResult<std::unique_ptr<Checkpoint>> {
    rocksdb::DB* db = nullptr;
    const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(ReadingOptions(files), path, &db);
    if (!status.ok()) {
      StorageError error = FromRocks(status, opening);
      // The caller knows that there is one, so whatever is wrong with it is damage.
      error.kind = StorageError::Kind::kCorrupt;
      return std::unexpected(std::move(error));
    }
    return std::make_unique<RocksCheckpoint>(std::move(env), std::unique_ptr<rocksdb::DB>(db),
                                             "read from the checkpoint " + path);
  });
}

std::string CheckpointDirectory::PathOf(std::string_view id) const {
  return fmt::format("{}/{}", path_, id);
}

StorageResult<void> CheckpointDirectory::RemoveRenamed(const std::string& path) const {
  ASSIGN_OR_RETURN(const bool exists, files_.Exists(path));
  if (!exists) return {};
  RETURN_IF_ERROR(files_.SyncDirectory(path_));
  return files_.RemoveAll(path);
}

StorageResult<void> CheckpointDirectory::MakeBy(
    std::string_view id, std::string_view making,
    const std::function<StorageResult<void>(const std::string& half_made)>& fill) const {
  const std::string path = PathOf(id);
  const std::string half_made = path + std::string(kHalfMade);
  RETURN_IF_ERROR(files_.MakeDirectories(path_));
  MakePrivate(path_);
  // Every time, because the last time may have failed here.
  RETURN_IF_ERROR(files_.SyncDirectory(std::filesystem::path(path_).parent_path()));
  RETURN_IF_ERROR(RemoveRenamed(half_made));
  return CatchingRocks(making, [&]() -> StorageResult<void> {
    if (StorageResult<void> filled = fill(half_made); !filled) {
      static_cast<void>(files_.RemoveAll(half_made));
      return filled;
    }
    MakePrivate(half_made);
    RETURN_IF_ERROR(RecordAsComplete(files_, half_made, half_made));
    RETURN_IF_ERROR(files_.Rename(half_made, path));
    return files_.SyncDirectory(path_);
  });
}

StorageResult<void> CheckpointDirectory::Make(rocksdb::DB& db, std::string_view id) const {
  const std::string making = "make the checkpoint " + PathOf(id);
  return MakeBy(id, making, [&](const std::string& half_made) -> StorageResult<void> {
    rocksdb::Checkpoint* made = nullptr;
    rocksdb::Status status = rocksdb::Checkpoint::Create(&db, &made);
    const std::unique_ptr<rocksdb::Checkpoint> owned(made);
    // Flushes memtables, so that opening the checkpoint has no log to replay.
    if (status.ok()) status = made->CreateCheckpoint(half_made, /*log_size_for_flush=*/0);
    return CheckRocks(status, making);
  });
}

StorageResult<void> CheckpointDirectory::Import(std::string_view id,
                                                const Store::RowsToVisit& rows) const {
  const std::string making = "make the checkpoint " + PathOf(id);
  return MakeBy(id, making, [&](const std::string& half_made) -> StorageResult<void> {
    rocksdb::Options options = RocksSettings(MakeRocksCaches(kImportCacheBytes));
    options.env = files_.env();
    options.create_if_missing = true;
    options.info_log = std::make_shared<SilentLogger>();
    rocksdb::DB* opened = nullptr;
    RETURN_IF_ERROR(CheckRocks(rocksdb::DB::Open(options, half_made, &opened), making));
    const std::unique_ptr<rocksdb::DB> db(opened);
    // All of it is in table files, and durable, before it counts.
    rocksdb::WriteOptions without_log;
    without_log.disableWAL = true;
    rocksdb::Status status;
    RETURN_IF_ERROR(rows([&](std::string_view key, std::string_view value) {
      status = db->Put(without_log, key, value);
      return status.ok();
    }));
    if (status.ok()) status = db->Flush(rocksdb::FlushOptions());
    if (status.ok()) status = db->Close();
    return CheckRocks(status, making);
  });
}

StorageResult<std::unique_ptr<Checkpoint>> CheckpointDirectory::Open(std::string_view id) const {
  const std::string path = PathOf(id);
  const DirectoryCheck check = CheckDirectory(*files_.env()->GetFileSystem(), path, path,
                                              /*must_have_ledger=*/false, SyncMode::kAlways);
  if (!check.problems.empty()) return std::unexpected(DamageError(path, check));
  return OpenReadOnly(path, files_, nullptr, "open the checkpoint " + path);
}

StorageResult<void> CheckpointDirectory::Delete(std::string_view id) const {
  const std::string path = PathOf(id);
  ASSIGN_OR_RETURN(const bool exists, files_.Exists(path));
  const std::string half_removed = path + std::string(kHalfMade);
  if (exists) {
    RETURN_IF_ERROR(RemoveRenamed(half_removed));
    // From here on it does not count, however little of it is removed before a crash.
    RETURN_IF_ERROR(files_.Rename(path, half_removed));
  }
  return RemoveRenamed(half_removed);
}

StorageResult<std::vector<std::string>> CheckpointDirectory::List() const {
  ASSIGN_OR_RETURN(std::vector<std::string> names, files_.List(path_));
  std::erase_if(names, [](const std::string& name) { return !IsId(name); });
  std::ranges::sort(names);
  return names;
}

StorageResult<void> CheckpointDirectory::Settle() const {
  ASSIGN_OR_RETURN(const bool exists, files_.Exists(path_));
  if (!exists) return {};
  RETURN_IF_ERROR(files_.SyncDirectory(path_));
  ASSIGN_OR_RETURN(const std::vector<std::string> names, files_.List(path_));
  for (const std::string& name : names) {
    // RocksDB appends an extension of its own while it works.
    if (name.find(kHalfMade) != std::string::npos) RETURN_IF_ERROR(RemoveRenamed(PathOf(name)));
  }
  return {};
}

}  // namespace stator
