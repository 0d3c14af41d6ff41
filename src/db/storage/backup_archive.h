// BackupArchive: copies of whole stores, in a directory of their own that may be on another disk.
//
//   DIR/STATOR-BACKUPS      the marker "stator backup directory, format 1"
//   DIR/STATOR.lock         locked by the process that may change the directory
//   DIR/meta/N              of one copy: its files, their sizes and checksums; written last
//   DIR/shared_checksum/    files that never change; copies of the same database share them
//   DIR/private/N/          the few files of one copy that do
//
// The last three are those of RocksDB's BackupEngine. A copy takes only what no earlier copy holds. It
// is complete when its file in meta/ is there: what a crash left half-made does not count, and the
// next process that opens the archive to write removes it. Reading an archive needs no store.
#ifndef STATOR_STORAGE_BACKUP_ARCHIVE_H_
#define STATOR_STORAGE_BACKUP_ARCHIVE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "storage/store.h"

namespace rocksdb {
class DB;
}

namespace stator {

// Thread-safe.
class BackupArchive {
 public:
  enum class Access : std::uint8_t { kRead, kWrite };
  // To write, a missing or empty directory is turned into an archive, which this process then has for
  // itself. Any number of processes may read.
  static StorageResult<std::unique_ptr<BackupArchive>> Open(const std::string& directory,
                                                            Access access);
  virtual ~BackupArchive() = default;

  struct Copy {
    std::string id;
    std::string description;  // as Make got it
    std::uint64_t bytes = 0;  // of all its files, shared or not
  };
  struct Contents {
    std::vector<Copy> copies;  // ascending by id
    std::vector<std::string>
        damaged;  // what is wrong with others: files that are missing or damaged
  };
  virtual StorageResult<Contents> List() const = 0;

  // Reads every file of a copy. kCorrupt names the file that is not as it was written.
  virtual StorageResult<void> Verify(std::string_view id) const = 0;
  // The copy as it is in the archive; null if there is none with this id. REQUIRES: the copy is not
  // deleted while it is open.
  virtual StorageResult<std::unique_ptr<Checkpoint>> OpenCopy(std::string_view id) const = 0;
  // Makes a data directory of a copy, of which every byte is verified. Refuses a directory that holds
  // something.
  virtual StorageResult<void> RestoreInto(std::string_view id,
                                          const std::string& data_directory) const = 0;

  // Copies all that has been committed before the call, and perhaps what is committed during the call.
  // All or nothing, even if the process crashes. Use Store::CopyInto. REQUIRES: opened to write.
  virtual StorageResult<void> Make(rocksdb::DB& db, std::string_view id,
                                   std::string_view description) = 0;
  // Ends the copy that is being made: it and all later ones fail.
  virtual void StopMaking() = 0;
  // Removes a copy, and the files that no other copy needs. Succeeds if there is no such copy. Fails
  // with kLocked while a copy is being made. REQUIRES: opened to write.
  virtual StorageResult<void> Delete(std::string_view id) = 0;
};

}  // namespace stator

#endif  // STATOR_STORAGE_BACKUP_ARCHIVE_H_
