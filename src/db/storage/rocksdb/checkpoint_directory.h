// CheckpointDirectory: the checkpoints of a database on a disk.
//
//   DIR/backups/ID/        a database of RocksDB: hard links to files that never change, and copies
//                          of the few that do
//   DIR/backups/ID.new*/   one that is being made; nothing in it counts yet
#ifndef STATOR_STORAGE_ROCKSDB_CHECKPOINT_DIRECTORY_H_
#define STATOR_STORAGE_ROCKSDB_CHECKPOINT_DIRECTORY_H_

#include <rocksdb/db.h>

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "storage/store.h"

namespace stator {

// Thread-safe as long as no id is used by two at once. Promises what Store does.
class CheckpointDirectory {
 public:
  explicit CheckpointDirectory(std::string path) : path_(std::move(path)) {}

  StorageResult<void> Make(rocksdb::DB& db, std::string_view id) const;
  StorageResult<std::unique_ptr<Checkpoint>> Open(std::string_view id) const;
  StorageResult<void> Delete(std::string_view id) const;
  StorageResult<std::vector<std::string>> List() const;

  // Removes what a crash has left of checkpoints that were being made.
  StorageResult<void> RemoveHalfMade() const;

 private:
  std::string PathOf(std::string_view id) const;

  const std::string path_;
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_CHECKPOINT_DIRECTORY_H_
