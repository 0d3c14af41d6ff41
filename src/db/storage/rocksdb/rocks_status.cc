#include "storage/rocksdb/rocks_status.h"

namespace stator {
namespace {

StorageError::Kind KindOf(const rocksdb::Status& status) {
  // A path that RocksDB knows of and does not find is damage, not a failing disk.
  if (status.IsCorruption() || status.IsPathNotFound()) return StorageError::Kind::kCorrupt;
  if (status.IsShutdownInProgress()) return StorageError::Kind::kClosed;
  return StorageError::Kind::kIo;
}

}  // namespace

StorageError FromRocks(const rocksdb::Status& status, std::string_view doing) {
  return {KindOf(status), fmt::format("cannot {}: {}", doing, status.ToString())};
}

}  // namespace stator
