#include "storage/rocksdb/rocks_calls.h"

#include <fmt/format.h>
#include <rocksdb/iterator.h>

#include <memory>

namespace stator {
namespace {

StorageError::Kind KindOf(const rocksdb::Status& status) {
  // RocksDB has recorded the path, so a missing file is damage and not a failing disk.
  if (status.IsCorruption() || status.IsPathNotFound()) return StorageError::Kind::kCorrupt;
  // A read that must not wait (waitless_files.h).
  if (status.IsBusy()) return StorageError::Kind::kBusy;
  if (status.IsShutdownInProgress()) return StorageError::Kind::kClosed;
  if (status.IsNoSpace()) return StorageError::Kind::kNoSpace;
  return StorageError::Kind::kIo;
}

}  // namespace

StorageError FromRocks(const rocksdb::Status& status, std::string_view doing) {
  return {KindOf(status), fmt::format("cannot {}: {}", doing, status.ToString())};
}

StorageError FromException(const std::exception& exception, std::string_view doing) {
  return {StorageError::Kind::kIo, fmt::format("cannot {}: {}", doing, exception.what())};
}

StorageResult<bool> GetFromRocks(rocksdb::DB& db, std::string_view key, std::string& value,
                                 std::string_view doing) {
  return CatchingRocks(doing, [&]() -> StorageResult<bool> {
    value.clear();
    const rocksdb::Status status = db.Get(rocksdb::ReadOptions(), key, &value);
    if (status.IsNotFound()) return false;
    if (!status.ok()) return std::unexpected(FromRocks(status, doing));
    return true;
  });
}

StorageResult<void> ScanRocks(rocksdb::DB& db, rocksdb::ReadOptions& options, const KeyRange& range,
                              Direction direction, const Visitor& visit, std::string_view doing) {
  return CatchingRocks(doing, [&]() -> StorageResult<void> {
    const rocksdb::Slice begin(range.begin);
    const rocksdb::Slice end(range.end);
    options.total_order_seek = true;
    options.iterate_lower_bound = &begin;
    if (!range.end.empty()) options.iterate_upper_bound = &end;

    const std::unique_ptr<rocksdb::Iterator> at(db.NewIterator(options));
    const bool is_forward = direction == Direction::kForward;
    // "First" and "last" are those within the bounds.
    is_forward ? at->SeekToFirst() : at->SeekToLast();
    while (at->Valid()) {
      if (!visit(at->key().ToStringView(), at->value().ToStringView())) return {};
      is_forward ? at->Next() : at->Prev();
    }
    return CheckRocks(at->status(), doing);
  });
}

}  // namespace stator
