// DataDirectory: whose a directory is, and who has it open.
//
//   DIR/STATOR       "stator data directory, format 1": written last when the directory is made
//   DIR/STATOR.new   the same text while the directory is being made; nothing in it counts yet
//   DIR/STATOR.lock  locked by the process that has the directory open; holds its process id
//   DIR/db/          the files of RocksDB
//   DIR/backups/     checkpoints of it (checkpoint_directory.h); made with the first one
#ifndef STATOR_STORAGE_ROCKSDB_DATA_DIRECTORY_H_
#define STATOR_STORAGE_ROCKSDB_DATA_DIRECTORY_H_

#include <string>
#include <utility>

#include "storage/store.h"

namespace stator {

// An open and locked data directory; unlocked by destruction.
class DataDirectory {
 public:
  // Makes a missing or empty directory a data directory. Changes nothing in one that is not ours.
  static StorageResult<DataDirectory> Open(const std::string& path);

  DataDirectory(DataDirectory&& other) noexcept
      : path_(std::move(other.path_)),
        is_new_(other.is_new_),
        lock_fd_(std::exchange(other.lock_fd_, -1)) {}
  DataDirectory& operator=(DataDirectory&&) = delete;
  ~DataDirectory();

  // Whether the database is still to be made. If not, a database must be there.
  bool is_new() const { return is_new_; }
  const std::string& path() const { return path_; }
  std::string DatabasePath() const { return path_ + "/db"; }
  std::string CheckpointsPath() const { return path_ + "/backups"; }

  // The database of a new directory is made: from now on it counts.
  StorageResult<void> FinishCreation();

 private:
  DataDirectory(std::string path, int lock_fd) : path_(std::move(path)), lock_fd_(lock_fd) {}

  StorageResult<void> ReadMarker();
  StorageResult<void> StartCreation();

  std::string path_;
  bool is_new_ = false;
  int lock_fd_ = -1;
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_DATA_DIRECTORY_H_
