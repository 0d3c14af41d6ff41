// DiskSpace: whether the disk has room for another commit.
//
// RocksDB cannot take back a log record that was written in part, so the disk must not be full when it
// writes one. It reserves a log's space when it begins the log; writes end while there is still room
// for that.
#ifndef STATOR_STORAGE_ROCKSDB_DISK_SPACE_H_
#define STATOR_STORAGE_ROCKSDB_DISK_SPACE_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

#include "storage/rocksdb/files.h"
#include "storage/store.h"

namespace stator {

// Not thread-safe, except for HasPlenty and Check.
class DiskSpace {
 public:
  DiskSpace(std::string directory, const Files& files)
      : directory_(std::move(directory)), files_(files) {}

  // Fails with kNoSpace when little space is left.
  StorageResult<void> Check() const;
  // The same for every commit: asks the file system only now and then.
  StorageResult<void> CheckForCommit(std::size_t commit_bytes);
  // Whether there is so much space that writes that were refused can be taken again.
  bool HasPlenty() const;

 private:
  using RealTime = std::chrono::steady_clock::time_point;
  std::uint64_t FreeBytes() const;

  const std::string directory_;
  const Files files_;
  RealTime checked_at_;
  std::size_t bytes_since_check_ = 0;
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_DISK_SPACE_H_
