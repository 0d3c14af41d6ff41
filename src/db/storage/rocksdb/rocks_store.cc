#include "storage/rocksdb/rocks_store.h"

#include <rocksdb/convenience.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/log.h"
#include "base/try.h"
#include "storage/rocksdb/rocks_calls.h"

namespace stator {
namespace {

// With an fsync in every commit the writer's own thread does all commits, so that no caller waits for
// the disk. Without it, a caller commits at most this many rounds before the thread takes over.
constexpr int kRoundsOnCallerUnsynced = 4;

constexpr std::chrono::milliseconds kSyncInterval{1000};
constexpr std::chrono::milliseconds kRecoveryInterval{500};

// The memory of a larger batch is freed.
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

// RocksDB keeps a deleted range until compaction drops it, and every read checks all of them. Up to
// this many keys it is better to delete each key.
constexpr std::size_t kSingleDeletesMax = 1000;

bool Contains(const KeyRange& range, std::string_view key) {
  return key >= range.begin && (range.end.empty() || key < range.end);
}

StorageResult<void> Added(const rocksdb::Status& status) {
  return CheckRocks(status, "put together a commit");
}

// The first stored keys of a range: at most one more than kSingleDeletesMax.
StorageResult<std::vector<std::string>> FirstKeys(const Store& store, const KeyRange& range) {
  std::vector<std::string> keys;
  RETURN_IF_ERROR(
      store.Scan(range, Direction::kForward, [&](std::string_view key, std::string_view) {
        keys.emplace_back(key);
        return keys.size() <= kSingleDeletesMax;
      }));
  return keys;
}

// A key that is greater than every stored key and every key of these writes.
StorageResult<std::string> EndAfterAll(const Store& store, std::span<const Write> writes) {
  std::string last;
  RETURN_IF_ERROR(store.Scan({}, Direction::kReverse, [&](std::string_view key, std::string_view) {
    last = key;
    return false;
  }));
  for (const Write& write : writes) last = std::max<std::string_view>(last, write.key);
  return last + '\0';
}

// `before` are the writes that precede the range in the batch.
StorageResult<void> AddRange(const Store& store, KeyRange range, std::span<const Write> before,
                             rocksdb::WriteBatch& batch) {
  // RocksDB would call an empty range invalid and refuse the batch.
  if (!range.end.empty() && range.begin >= range.end) return {};
  ASSIGN_OR_RETURN(const std::vector<std::string> keys, FirstKeys(store, range));
  if (keys.size() > kSingleDeletesMax) {
    // RocksDB needs an end for every range.
    if (range.end.empty()) {
      ASSIGN_OR_RETURN(range.end, EndAfterAll(store, before));
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

// Turns the writes of a commit into a batch for `store`. REQUIRES: no other commit comes in between.
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

}  // namespace

RocksStore::RocksStore(DataDirectory directory, RocksCaches caches, WatchedFiles files,
                       std::unique_ptr<rocksdb::DB> db, const RocksOptions& options)
    : directory_(std::move(directory)),
      caches_(std::move(caches)),
      files_(std::move(files)),
      db_(std::move(db)),
      checkpoints_(directory_.CheckpointsPath(), directory_.files()),
      sync_(options.sync),
      reading_("read from " + directory_.path()),
      writing_("write to " + directory_.path()),
      space_(directory_.path(), directory_.files()),
      writer_(
          *this, [this](std::span<const Write> writes) { return Commit(writes); },
          RoundsOnCaller(sync_), options.write_limits) {
  if (sync_ != SyncMode::kInterval) return;
  syncer_.emplace(kSyncInterval, [this] {
    const std::scoped_lock lock(recovering_);
    if (writer_.Failure()) return;
    const StorageResult<void> synced = SyncLog();
    if (!synced) writer_.Break(synced.error());
  });
}

RocksStore::~RocksStore() {
  writer_.Close();
  // RocksDB may wait for ever in a recovery that the disk does not let it finish.
  if (has_failed_) rocksdb::CancelAllBackgroundWork(db_.get(), /*wait=*/false);
  syncer_.reset();
  recovery_.reset();
  // After an orderly end everything is on disk, whatever the mode.
  if (!SyncLog()) has_failed_ = true;
  CloseDatabase();
}

void RocksStore::CloseDatabase() {
  const std::uint64_t last_number = db_->GetLatestSequenceNumber();
  rocksdb::Status status = db_->Close();
  db_.reset();
  // After a failure nobody knows what is durable: the next start finds out, as after a crash.
  if (status.ok() && !has_failed_) {
    status = files_.keeper->Closed(last_number, directory_.DatabasePath());
  }
  if (!status.ok()) {
    Log(LogLevel::kError, "the database was not closed in an orderly way",
        {{"directory", directory_.path()}, {"reason", status.ToString()}});
  }
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
                                     const Visitor& visit, const ReadView* view,
                                     std::int64_t) const {
  rocksdb::ReadOptions options;
  if (view != nullptr) options.snapshot = static_cast<const RocksView*>(view)->snapshot();
  return ScanRocks(*db_, options, range, direction, visit, reading_);
}

std::uint64_t RocksStore::ApproximateBytes(const KeyRange& range) const {
  // Greater than every key that is used.
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

// RocksDB would flush, which it must not be asked for after a failure.
StorageResult<void> RocksStore::CheckCanCopy() const {
  if (!has_failed_ && !files_.log_has_failed->load()) return {};
  return std::unexpected(StorageError{
      StorageError::Kind::kReadOnly,
      "the data is not copied since a write failed; free space or restart to recover"});
}

StorageResult<void> RocksStore::MakeCheckpoint(std::string_view id, std::span<const KeyRange>) {
  RETURN_IF_ERROR(CheckCanCopy());
  return checkpoints_.Make(*db_, id);
}

StorageResult<void> RocksStore::CopyInto(BackupArchive& archive, std::string_view id,
                                         std::string_view description) {
  RETURN_IF_ERROR(CheckCanCopy());
  return archive.Make(*db_, id, description);
}

Store::Stats RocksStore::GetStats() const {
  const Writer::Counts counts = writer_.GetCounts();
  Stats stats{.commits = counts.commits,
              .mutations = counts.mutations,
              .syncs = sync_count_.load(),
              .cache_bytes = caches_.UsedBytes()};
  rocksdb::Env* const env = directory_.files().env();
  std::vector<rocksdb::Env::FileAttributes> files;
  // Files come and go meanwhile: a failure leaves out some.
  static_cast<void>(env->GetChildrenFileAttributes(directory_.DatabasePath(), &files));
  for (const rocksdb::Env::FileAttributes& file : files) stats.disk_bytes += file.size_bytes;
  return stats;
}

StorageResult<void> RocksStore::Commit(std::span<const Write> writes) {
  return CatchingRocks(writing_, [&]() -> StorageResult<void> {
    if (batch_.GetDataSize() > kBatchBytesKept) batch_ = rocksdb::WriteBatch();
    batch_.Clear();
    RETURN_IF_ERROR(BuildBatch(*this, writes, batch_));
    if (StorageResult<void> room = space_.CheckForCommit(batch_.GetDataSize()); !room) {
      StartRecovery();
      return room;
    }
    rocksdb::WriteOptions options;
    options.sync = sync_ == SyncMode::kAlways;
    caches_.rows->BeginCommit(writes);
    const rocksdb::Status written = db_->Write(options, &batch_);
    if (!written.ok()) return std::unexpected(LogFailure(written));
    caches_.rows->EndCommit(writes);
    if (batch_.HasDeleteRange()) range_delete_log_.store(files_.newest_log->load());
    if (options.sync) {
      sync_count_.fetch_add(1, std::memory_order_relaxed);
    } else {
      has_unsynced_.store(true);
    }
    return {};
  });
}

StorageResult<void> RocksStore::SyncLog() {
  // After a failure RocksDB ends the process if it is asked to sync the log once more.
  if (has_failed_ || !has_unsynced_.exchange(false)) return {};
  return CatchingRocks(writing_, [&]() -> StorageResult<void> {
    const rocksdb::Status synced = db_->SyncWAL();
    if (!synced.ok()) return std::unexpected(LogFailure(synced));
    sync_count_.fetch_add(1, std::memory_order_relaxed);
    return {};
  });
}

StorageError RocksStore::LogFailure(const rocksdb::Status& status) {
  has_failed_ = true;
  if (status.IsNoSpace()) {
    // A status with a severity is that of work in the background: then the log was left alone.
    const bool log_was_written = status.severity() == rocksdb::Status::Severity::kNoError;
    if (log_was_written) log_is_damaged_ = true;
    StartRecovery();
  }
  return FromRocks(status, writing_);
}

void RocksStore::StartRecovery() {
  std::call_once(recovery_started_,
                 [this] { recovery_.emplace(kRecoveryInterval, [this] { TryToRecover(); }); });
}

// After a full disk. RocksDB flushes what is in memory and begins a new log. When there was nothing to
// flush it goes on with the old log, which may end in the middle of a record: such a log can only be
// read, by the next start.
void RocksStore::TryToRecover() {
  const std::scoped_lock lock(recovering_);
  const std::optional<StorageError> failure = writer_.Failure();
  if (!failure || failure->kind != StorageError::Kind::kNoSpace || !space_.HasPlenty()) return;
  // A flush that failed and is tried again ends the process if it has a deleted range to write.
  const std::uint64_t log = files_.newest_log->load();
  if (has_failed_ && log <= range_delete_log_.load()) {
    return writer_.Break({StorageError::Kind::kReadOnly,
                          "what was deleted cannot be written since the disk was full"});
  }
  files_.log_has_failed->store(false);
  const rocksdb::Status resumed = db_->Resume();
  if (resumed.IsBusy() || resumed.IsNoSpace()) return;
  const bool log_was_damaged = log_is_damaged_.exchange(false);
  if (!resumed.ok() || (log_was_damaged && files_.newest_log->load() == log)) {
    return writer_.Break({StorageError::Kind::kReadOnly,
                          resumed.ok() ? "the log cannot be continued since the disk was full"
                                       : FromRocks(resumed, writing_).message});
  }
  has_failed_ = false;
  writer_.Mend();
}

}  // namespace stator
