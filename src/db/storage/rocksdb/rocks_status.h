// RocksDB's failures as ours.
#ifndef STATOR_STORAGE_ROCKSDB_ROCKS_STATUS_H_
#define STATOR_STORAGE_ROCKSDB_ROCKS_STATUS_H_

#include <fmt/format.h>
#include <rocksdb/status.h>

#include <exception>
#include <string_view>

#include "storage/store.h"

namespace stator {

// REQUIRES: !status.ok(). `doing` completes "cannot …", e.g. "read from /data".
StorageError FromRocks(const rocksdb::Status& status, std::string_view doing);

// Runs a function that calls RocksDB and turns an exception into an error.
template <class Function>
auto CatchingRocks(std::string_view doing, Function&& function) -> decltype(function()) {
  try {
    return function();
  } catch (const std::exception& exception) {
    return std::unexpected(StorageError{StorageError::Kind::kIo,
                                        fmt::format("cannot {}: {}", doing, exception.what())});
  }
}

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_ROCKS_STATUS_H_
