#include "storage/rocksdb/rocks_store.h"

#include <chrono>
#include <filesystem>
#include <utility>

#include "base/try.h"
#include "storage/rocksdb/rocks_batch.h"
#include "storage/rocksdb/rocks_status.h"

namespace stator {
namespace {

// With an fsync in every commit the writer's thread does all of them, for no caller shall wait for
// the disk. Without, a caller commits at most so many rounds before the thread takes over.
constexpr int kRoundsOnCallerUnsynced = 4;

constexpr std::chrono::milliseconds kSyncInterval{1000};

// The memory of a larger batch is given back.
constexpr std::size_t kBatchBytesKept = std::size_t{1} << 20;

int RoundsOnCaller(SyncMode sync) {
  return sync == SyncMode::kAlways ? 0 : kRoundsOnCallerUnsynced;
}

class RocksView final : public ReadView {
 public:
  explicit RocksView(rocksdb::DB* db) : db_(db), snapshot_(db->GetSnapshot()) {}
  RocksView(const RocksView&) = delete;
  RocksView& operator=(const RocksView&) = delete;
  ~RocksView() override { db_->ReleaseSnapshot(snapshot_); }

  const rocksdb::Snapshot* snapshot() const { return snapshot_; }

 private:
  rocksdb::DB* const db_;
  const rocksdb::Snapshot* const snapshot_;
};

}  // namespace

RocksStore::RocksStore(DataDirectory directory, RocksCaches caches,
                       std::unique_ptr<CreationEnv> creation, std::unique_ptr<rocksdb::DB> db,
                       SyncMode sync)
    : directory_(std::move(directory)),
      caches_(std::move(caches)),
      creation_(std::move(creation)),
      db_(std::move(db)),
      checkpoints_(directory_.CheckpointsPath()),
      sync_(sync),
      reading_("read from " + directory_.path()),
      writing_("write to " + directory_.path()),
      writer_(
          *this, [this](std::span<const Write> writes) { return Commit(writes); },
          RoundsOnCaller(sync)) {
  if (sync_ != SyncMode::kInterval) return;
  syncer_.emplace(kSyncInterval, [this] {
    const StorageResult<void> synced = SyncLog();
    if (!synced) writer_.Break(synced.error());
  });
}

RocksStore::~RocksStore() {
  writer_.Close();
  syncer_.reset();
  // An orderly end leaves nothing to chance, whatever the mode. Nobody is left to hear of a
  // failure.
  static_cast<void>(SyncLog());
}

StorageResult<bool> RocksStore::Get(std::string_view key, std::string& value) const {
  return CatchingRocks(reading_, [&]() -> StorageResult<bool> {
    const std::optional<RowCache::Miss> miss = caches_.rows->Find(key, value);
    if (!miss) return true;
    value.clear();
    rocksdb::PinnableSlice found(&value);
    const rocksdb::Status status =
        db_->Get(rocksdb::ReadOptions(), db_->DefaultColumnFamily(), key, &found);
    if (status.IsNotFound()) return false;
    if (!status.ok()) return std::unexpected(FromRocks(status, reading_));
    if (found.IsPinned()) value.assign(found.data(), found.size());
    caches_.rows->Keep(*miss, key, value);
    return true;
  });
}

StorageResult<std::vector<std::optional<std::string>>> RocksStore::MultiGet(
    std::span<const std::string> keys) const {
  using Values = std::vector<std::optional<std::string>>;
  return CatchingRocks(reading_, [&]() -> StorageResult<Values> {
    const std::vector<rocksdb::Slice> slices(keys.begin(), keys.end());
    std::vector<rocksdb::PinnableSlice> found(keys.size());
    std::vector<rocksdb::Status> statuses(keys.size());
    db_->MultiGet(rocksdb::ReadOptions(), db_->DefaultColumnFamily(), keys.size(), slices.data(),
                  found.data(), statuses.data());
    Values values(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (statuses[i].IsNotFound()) continue;
      if (!statuses[i].ok()) return std::unexpected(FromRocks(statuses[i], reading_));
      values[i] = found[i].ToString();
    }
    return values;
  });
}

std::unique_ptr<ReadView> RocksStore::Snapshot() const {
  return std::make_unique<RocksView>(db_.get());
}

StorageResult<void> RocksStore::Scan(const KeyRange& range, Direction direction,
                                     const Visitor& visit, const ReadView* view) const {
  return CatchingRocks(reading_, [&]() -> StorageResult<void> {
    const rocksdb::Slice begin(range.begin);
    const rocksdb::Slice end(range.end);
    rocksdb::ReadOptions options;
    options.total_order_seek = true;
    options.iterate_lower_bound = &begin;
    if (!range.end.empty()) options.iterate_upper_bound = &end;
    if (view != nullptr) options.snapshot = static_cast<const RocksView*>(view)->snapshot();

    const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(options));
    const bool is_forward = direction == Direction::kForward;
    // The bounds hold for these, too.
    is_forward ? at->SeekToFirst() : at->SeekToLast();
    while (at->Valid()) {
      if (!visit(at->key().ToStringView(), at->value().ToStringView())) return {};
      is_forward ? at->Next() : at->Prev();
    }
    if (!at->status().ok()) return std::unexpected(FromRocks(at->status(), reading_));
    return {};
  });
}

std::uint64_t RocksStore::ApproximateBytes(const KeyRange& range) const {
  // Above every key that is used.
  const std::string last(64, '\xff');
  const rocksdb::Range rocks_range(range.begin, range.end.empty() ? last : range.end);
  rocksdb::SizeApproximationOptions options;
  options.include_memtables = true;
  options.include_files = true;
  std::uint64_t bytes = 0;
  const rocksdb::Status status =
      db_->GetApproximateSizes(options, db_->DefaultColumnFamily(), &rocks_range, 1, &bytes);
  return status.ok() ? bytes : 0;
}

Store::Stats RocksStore::GetStats() const {
  const Writer::Counts counts = writer_.GetCounts();
  Stats stats{.commits = counts.commits,
              .mutations = counts.mutations,
              .syncs = sync_count_.load(),
              .cache_bytes = caches_.UsedBytes()};
  std::error_code error;
  for (std::filesystem::directory_iterator file(directory_.DatabasePath(), error), end;
       !error && file != end; file.increment(error)) {
    std::error_code gone;  // files come and go meanwhile
    const std::uintmax_t size = file->file_size(gone);
    if (!gone) stats.disk_bytes += size;
  }
  return stats;
}

StorageResult<void> RocksStore::Commit(std::span<const Write> writes) {
  return CatchingRocks(writing_, [&]() -> StorageResult<void> {
    if (batch_.GetDataSize() > kBatchBytesKept) batch_ = rocksdb::WriteBatch();
    batch_.Clear();
    RETURN_IF_ERROR(BuildBatch(*this, writes, batch_));
    rocksdb::WriteOptions options;
    options.sync = sync_ == SyncMode::kAlways;
    caches_.rows->BeginCommit(writes);
    const rocksdb::Status status = db_->Write(options, &batch_);
    if (!status.ok()) return std::unexpected(FromRocks(status, writing_));
    caches_.rows->EndCommit(writes);
    if (options.sync) {
      sync_count_.fetch_add(1, std::memory_order_relaxed);
    } else {
      has_unsynced_.store(true);
    }
    return {};
  });
}

StorageResult<void> RocksStore::SyncLog() {
  if (!has_unsynced_.exchange(false)) return {};
  return CatchingRocks(writing_, [&]() -> StorageResult<void> {
    const rocksdb::Status status = db_->SyncWAL();
    if (!status.ok()) return std::unexpected(FromRocks(status, writing_));
    sync_count_.fetch_add(1, std::memory_order_relaxed);
    return {};
  });
}

}  // namespace stator
