// Files: what Stator itself does with the files of a data directory. It goes through RocksDB's file
// system, so that RocksDB and Stator always see the same one, in tests too.
#ifndef STATOR_STORAGE_ROCKSDB_FILES_H_
#define STATOR_STORAGE_ROCKSDB_FILES_H_

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace stator {

// Thread-safe. Cheap to copy.
class Files {
 public:
  // Null: the machine's file system.
  explicit Files(rocksdb::Env* env);

  rocksdb::Env* env() const { return env_; }
  bool IsMachines() const;

  StorageResult<bool> Exists(const std::string& path) const;
  StorageResult<bool> IsDirectory(const std::string& path) const;
  // The names in a directory; none if it does not exist.
  StorageResult<std::vector<std::string>> List(const std::string& path) const;
  // The first bytes of a file.
  StorageResult<std::string> Read(const std::string& path, std::size_t bytes_max) const;

  // With its parents. Succeeds if the directory exists.
  StorageResult<void> MakeDirectories(const std::string& path) const;
  // Replaces the file. Its bytes are durable, its name is not: SyncDirectory.
  StorageResult<void> Write(const std::string& path, std::string_view text) const;
  StorageResult<void> Rename(const std::string& from, const std::string& to) const;
  // A file, or a directory and all that is in it. Succeeds if there is no such path.
  StorageResult<void> RemoveAll(const std::string& path) const;
  // Leaves the first bytes of a file, by an atomic replacement that is durable.
  StorageResult<void> CutOff(const std::string& path, std::size_t bytes) const;
  // Makes the names in a directory durable.
  StorageResult<void> SyncDirectory(const std::string& path) const;

 private:
  rocksdb::Env* env_;
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_FILES_H_
