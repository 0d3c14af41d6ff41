#include "storage/rocksdb/rocks_batch.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/try.h"
#include "storage/rocksdb/rocks_status.h"

namespace stator {
namespace {

// RocksDB keeps a deleted range until compaction drops it, and every read looks at all of them. Up
// to so many keys it is better to delete one by one.
constexpr std::size_t kSingleDeletesMax = 1000;

bool Contains(const KeyRange& range, std::string_view key) {
  return key >= range.begin && (range.end.empty() || key < range.end);
}

StorageResult<void> Added(const rocksdb::Status& status) {
  if (status.ok()) return {};
  return std::unexpected(FromRocks(status, "put together a commit"));
}

// The stored keys of a range, one more than kSingleDeletesMax at most.
StorageResult<std::vector<std::string>> SomeKeys(const Store& store, const KeyRange& range) {
  std::vector<std::string> keys;
  RETURN_IF_ERROR(
      store.Scan(range, Direction::kForward, [&](std::string_view key, std::string_view) {
        keys.emplace_back(key);
        return keys.size() <= kSingleDeletesMax;
      }));
  return keys;
}

// A key behind every stored one and every one that is about to be.
StorageResult<std::string> EndBehindAll(const Store& store, std::span<const Write> writes) {
  std::string last;
  RETURN_IF_ERROR(store.Scan({}, Direction::kReverse, [&](std::string_view key, std::string_view) {
    last = key;
    return false;
  }));
  for (const Write& write : writes) last = std::max<std::string_view>(last, write.key);
  return last + '\0';
}

// `before` are the writes of the batch that come before the range's.
StorageResult<void> AddRange(const Store& store, KeyRange range, std::span<const Write> before,
                             rocksdb::WriteBatch& batch) {
  // RocksDB calls such a range invalid and would refuse the batch.
  if (!range.end.empty() && range.begin >= range.end) return {};
  ASSIGN_OR_RETURN(const std::vector<std::string> keys, SomeKeys(store, range));
  if (keys.size() > kSingleDeletesMax) {
    // RocksDB wants an end for every range.
    if (range.end.empty()) {
      ASSIGN_OR_RETURN(range.end, EndBehindAll(store, before));
    }
    return Added(batch.DeleteRange(range.begin, range.end));
  }
  for (const std::string& key : keys) RETURN_IF_ERROR(Added(batch.Delete(key)));
  for (const Write& write : before) {
    if (write.kind != Write::Kind::kPut || !Contains(range, write.key)) continue;
    RETURN_IF_ERROR(Added(batch.Delete(write.key)));
  }
  return {};
}

}  // namespace

StorageResult<void> BuildBatch(const Store& store, std::span<const Write> writes,
                               rocksdb::WriteBatch& batch) {
  for (std::size_t i = 0; i < writes.size(); ++i) {
    const Write& write = writes[i];
    switch (write.kind) {
      case Write::Kind::kPut:
        RETURN_IF_ERROR(Added(batch.Put(write.key, write.value)));
        break;
      case Write::Kind::kDelete:
        RETURN_IF_ERROR(Added(batch.Delete(write.key)));
        break;
      case Write::Kind::kDeleteRange:
        RETURN_IF_ERROR(AddRange(store, {std::string(write.key), std::string(write.value)},
                                 writes.first(i), batch));
        break;
    }
  }
  return {};
}

}  // namespace stator
