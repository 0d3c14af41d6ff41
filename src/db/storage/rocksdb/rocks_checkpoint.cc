#include "storage/rocksdb/rocks_checkpoint.h"

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/table.h>

#include <cstdarg>
#include <utility>

#include "storage/rocksdb/rocks_status.h"

namespace stator {
namespace {

constexpr std::size_t kCacheBytes = std::size_t{2} << 20;
constexpr int kMaxOpenFiles = 32;

// Without it RocksDB would write a file of its own into the checkpoint.
class SilentLogger final : public rocksdb::Logger {
 public:
  using rocksdb::Logger::Logv;
  void Logv(const char*, va_list) override {}
};

rocksdb::Options ReadingOptions() {
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(kCacheBytes);
  table.cache_index_and_filter_blocks = true;
  rocksdb::Options options;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  options.max_open_files = kMaxOpenFiles;
  options.skip_stats_update_on_db_open = true;
  options.info_log = std::make_shared<SilentLogger>();
  return options;
}

class RocksCheckpoint final : public Checkpoint {
 public:
  RocksCheckpoint(std::unique_ptr<rocksdb::DB> db, std::string reading)
      : db_(std::move(db)), reading_(std::move(reading)) {}

  StorageResult<bool> Get(std::string_view key, std::string& value) const override {
    return CatchingRocks(reading_, [&]() -> StorageResult<bool> {
      value.clear();
      const rocksdb::Status status = db_->Get(rocksdb::ReadOptions(), key, &value);
      if (status.IsNotFound()) return false;
      if (!status.ok()) return std::unexpected(FromRocks(status, reading_));
      return true;
    });
  }

  StorageResult<void> Scan(const KeyRange& range, Direction direction,
                           const Visitor& visit) const override {
    return CatchingRocks(reading_, [&]() -> StorageResult<void> {
      const rocksdb::Slice begin(range.begin);
      const rocksdb::Slice end(range.end);
      rocksdb::ReadOptions options;
      options.total_order_seek = true;
      options.fill_cache = false;
      options.iterate_lower_bound = &begin;
      if (!range.end.empty()) options.iterate_upper_bound = &end;
      const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(options));
      const bool is_forward = direction == Direction::kForward;
      is_forward ? at->SeekToFirst() : at->SeekToLast();
      while (at->Valid()) {
        if (!visit(at->key().ToStringView(), at->value().ToStringView())) return {};
        is_forward ? at->Next() : at->Prev();
      }
      if (!at->status().ok()) return std::unexpected(FromRocks(at->status(), reading_));
      return {};
    });
  }

 private:
  const std::unique_ptr<rocksdb::DB> db_;
  const std::string reading_;  // what is being done, for messages
};

}  // namespace

StorageResult<std::unique_ptr<Checkpoint>> OpenRocksCheckpoint(const std::string& path) {
  const std::string opening = "open the checkpoint " + path;
  return CatchingRocks(opening, [&]() -> StorageResult<std::unique_ptr<Checkpoint>> {
    rocksdb::DB* db = nullptr;
    const rocksdb::Status status = rocksdb::DB::OpenForReadOnly(ReadingOptions(), path, &db);
    if (!status.ok()) {
      StorageError error = FromRocks(status, opening);
      // It is known that there was one.
      error.kind = StorageError::Kind::kCorrupt;
      return std::unexpected(std::move(error));
    }
    return std::make_unique<RocksCheckpoint>(std::unique_ptr<rocksdb::DB>(db),
                                             "read from the checkpoint " + path);
  });
}

}  // namespace stator
