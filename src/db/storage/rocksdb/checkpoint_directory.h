// CheckpointDirectory: the checkpoints of a database on a disk.
//
//   DIR/backups/ID/        a RocksDB database: hard links to the files that never change, copies of
//                          the few that do
//   DIR/backups/ID.new*/   a checkpoint that is being made or removed; nothing in it counts
#ifndef STATOR_STORAGE_ROCKSDB_CHECKPOINT_DIRECTORY_H_
#define STATOR_STORAGE_ROCKSDB_CHECKPOINT_DIRECTORY_H_

#include <rocksdb/db.h>
#include <rocksdb/options.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/rocksdb/files.h"
#include "storage/store.h"

namespace stator {

// For reading a database that nobody changes: writes nothing and keeps little in memory.
rocksdb::Options ReadingOptions(const Files& files);

// Opens a database that nobody changes. Writes nothing and keeps little in memory. `env` is kept as
// long as the database is open: that of `files`, or null.
StorageResult<std::unique_ptr<Checkpoint>> OpenReadOnly(const std::string& path, const Files& files,
                                                        std::shared_ptr<rocksdb::Env> env,
                                                        std::string_view opening);

// Keeps the promises of Store about checkpoints. Thread-safe as long as no two threads use the same
// id at once.
class CheckpointDirectory {
 public:
  CheckpointDirectory(std::string path, const Files& files)
      : path_(std::move(path)), files_(files) {}

  StorageResult<void> Make(rocksdb::DB& db, std::string_view id) const;
  StorageResult<void> Import(std::string_view id, const Store::RowsToVisit& rows) const;
  // Changes nothing in the directory, and keeps little in memory.
  StorageResult<std::unique_ptr<Checkpoint>> Open(std::string_view id) const;
  StorageResult<void> Delete(std::string_view id) const;
  StorageResult<std::vector<std::string>> List() const;

  // Once, when the store is opened: makes what List shows durable, and removes what a crash left of
  // checkpoints that were being made or removed.
  StorageResult<void> Settle() const;

 private:
  std::string PathOf(std::string_view id) const;
  // Lets `fill` make a database in a directory that does not count yet, then lets it count.
  StorageResult<void> MakeBy(
      std::string_view id, std::string_view making,
      const std::function<StorageResult<void>(const std::string& half_made)>& fill) const;
  // `path` was renamed to what it is now: makes that durable, or a crash could leave a part of it under
  // its former name.
  StorageResult<void> RemoveRenamed(const std::string& path) const;

  const std::string path_;
  const Files files_;
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_CHECKPOINT_DIRECTORY_H_
