// DataDirectory: whether a directory is a data directory of Stator, and which process has it open.
//
//   DIR/STATOR       the marker "stator data directory, format 2", written last on creation. Format 1
//                    is the same without a ledger.
//   DIR/STATOR.new   the same text while the directory is being created: nothing in it counts yet
//   DIR/STATOR.lock  locked by the process that has the directory open; holds its process id
//   DIR/STATOR.ledger  what must be there (ledger.h)
//   DIR/db/          the files of RocksDB
//   DIR/backups/     checkpoints (checkpoint_directory.h); created with the first one
#ifndef STATOR_STORAGE_ROCKSDB_DATA_DIRECTORY_H_
#define STATOR_STORAGE_ROCKSDB_DATA_DIRECTORY_H_

#include <string>
#include <utility>

#include "storage/rocksdb/files.h"
#include "storage/store.h"

namespace stator {

// An open and locked data directory; unlocked by destruction. A new one is its owner's alone, like
// all that is made in it.
class DataDirectory {
 public:
  // Turns a missing or empty directory into a data directory. Leaves a directory alone that holds
  // something else. Only a directory of the machine's file system is locked.
  static StorageResult<DataDirectory> Open(const std::string& path, const Files& files);
  // Opens a directory that exists, and writes nothing there.
  static StorageResult<DataDirectory> OpenToRead(const std::string& path, const Files& files);

  // The same of a directory that another process may have open, without locking it.
  static StorageResult<DataDirectory> OpenToWatch(const std::string& path, const Files& files);
  // Locks a watched directory. False if another process has it open.
  StorageResult<bool> TryToLock();

  DataDirectory(DataDirectory&& other) noexcept
      : path_(std::move(other.path_)),
        files_(other.files_),
        is_new_(other.is_new_),
        has_ledger_(other.has_ledger_),
        lock_fd_(std::exchange(other.lock_fd_, -1)) {}
  DataDirectory& operator=(DataDirectory&&) = delete;
  ~DataDirectory();

  // True until the database has been created. When false, a database must exist.
  bool is_new() const { return is_new_; }
  // Whether a ledger must exist. False for a directory that a version without one made.
  bool has_ledger() const { return has_ledger_; }
  const std::string& path() const { return path_; }
  const Files& files() const { return files_; }
  std::string DatabasePath() const { return path_ + "/db"; }
  std::string CheckpointsPath() const { return path_ + "/backups"; }

  // The database of a new directory is complete: writes the marker.
  StorageResult<void> FinishCreation();
  // The directory has got its ledger: writes the marker that says so, and closes the directory to
  // other users.
  StorageResult<void> FinishUpgrade();

 private:
  DataDirectory(std::string path, const Files& files, int lock_fd)
      : path_(std::move(path)), files_(files), lock_fd_(lock_fd) {}

  StorageResult<void> ReadMarker();
  StorageResult<void> StartCreation();
  StorageResult<void> SyncAll() const;

  std::string path_;
  Files files_;
  bool is_new_ = false;
  bool has_ledger_ = true;
  int lock_fd_ = -1;
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_DATA_DIRECTORY_H_
