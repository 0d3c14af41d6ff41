// Calls into RocksDB: its failures as ours, and the reads that stores and checkpoints share.
#ifndef STATOR_STORAGE_ROCKSDB_ROCKS_CALLS_H_
#define STATOR_STORAGE_ROCKSDB_ROCKS_CALLS_H_

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/status.h>

#include <exception>
#include <string>
#include <string_view>

#include "storage/store.h"

namespace stator {

// In all that follows `doing` completes "cannot …", e.g. "read from /data".

// REQUIRES: !status.ok().
StorageError FromRocks(const rocksdb::Status& status, std::string_view doing);
StorageError FromException(const std::exception& exception, std::string_view doing);

// An ok status as success.
inline StorageResult<void> CheckRocks(const rocksdb::Status& status, std::string_view doing) {
  if (status.ok()) return {};
  return std::unexpected(FromRocks(status, doing));
}

// Runs a function that calls RocksDB and turns an exception into an error.
template <class Function>
auto CatchingRocks(std::string_view doing, Function&& function) -> decltype(function()) {
  try {
    return function();
  } catch (const std::exception& exception) {
    return std::unexpected(FromException(exception, doing));
  }
}

// As Store::Get.
StorageResult<bool> GetFromRocks(rocksdb::DB& db, std::string_view key, std::string& value,
                                 std::string_view doing);

// As Store::Scan. Sets the bounds in `options`, which may name a snapshot.
StorageResult<void> ScanRocks(rocksdb::DB& db, rocksdb::ReadOptions& options, const KeyRange& range,
                              Direction direction, const Visitor& visit, std::string_view doing);

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_ROCKS_CALLS_H_
