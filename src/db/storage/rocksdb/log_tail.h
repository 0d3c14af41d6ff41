// LogTail: the commits that a process adds to the write-ahead logs of a database, read by another.
//
// RocksDB deletes a log when all of it is in table files. A log that is open here can be read
// nevertheless, so nothing is missed by whoever looks often enough to open each log while it exists.
#ifndef STATOR_STORAGE_ROCKSDB_LOG_TAIL_H_
#define STATOR_STORAGE_ROCKSDB_LOG_TAIL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "storage/copy_source.h"
#include "storage/rocksdb/files.h"

namespace stator {

// Not thread-safe.
class LogTail {
 public:
  LogTail(std::string database_path, const Files& files);
  ~LogTail();

  // Opens the logs that have been created since the last time.
  StorageResult<void> Look();

  // As CopySource::Changes, after a Look. Commits that were read are gone: `after` never decreases.
  StorageResult<std::optional<std::uint64_t>> Read(std::uint64_t after, std::uint64_t to,
                                                   const CopySource::VisitCommit& visit);

 private:
  class OpenLog;
  // The next commit, of any number; nullopt if it has not been written yet.
  StorageResult<std::optional<std::string>> NextCommit();

  const std::string database_path_;
  const Files files_;
  std::map<std::uint64_t, std::unique_ptr<OpenLog>> logs_;  // by number
  std::uint64_t newest_log_ = 0;
  std::optional<std::string> next_;  // was read, but not yet asked for
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_LOG_TAIL_H_
