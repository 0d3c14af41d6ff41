// RocksStore: the store on a disk.
#ifndef STATOR_STORAGE_ROCKSDB_ROCKS_STORE_H_
#define STATOR_STORAGE_ROCKSDB_ROCKS_STORE_H_

#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/try.h"
#include "storage/backup_archive.h"
#include "storage/rocksdb/checkpoint_directory.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/disk_space.h"
#include "storage/rocksdb/rocks_settings.h"
#include "storage/rocksdb/watched_files.h"
#include "storage/store.h"
#include "storage/writer.h"

namespace stator {

// Calls a function periodically, from a thread of its own.
class PeriodicCall {
 public:
  PeriodicCall(std::chrono::milliseconds period, std::function<void()> function)
      : period_(period),
        function_(std::move(function)),
        thread_([this](const std::stop_token& stop) { Run(stop); }) {}
  // The destructor stops the thread without another call.

 private:
  void Run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
      wake_.wait_for(lock, stop, period_, [] { return false; });
      if (!stop.stop_requested()) function_();
    }
  }

  const std::chrono::milliseconds period_;
  const std::function<void()> function_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

class RocksStore final : public Store {
 public:
  RocksStore(DataDirectory directory, RocksCaches caches, WatchedFiles files,
             std::unique_ptr<rocksdb::DB> db, const RocksOptions& options);
  ~RocksStore() override;

  void Mutate(std::unique_ptr<Mutation> mutation) override { writer_.Mutate(std::move(mutation)); }
  StorageResult<bool> Get(std::string_view key, std::string& value) const override;
  StorageResult<std::vector<std::optional<std::string>>> MultiGet(
      std::span<const std::string> keys) const override;
  std::unique_ptr<ReadView> Snapshot() const override;
  StorageResult<void> Scan(const KeyRange& range, Direction direction, const Visitor& visit,
                           const ReadView* view, std::int64_t rows_wanted) const override;
  std::optional<StorageError> WriteFailure() const override { return writer_.Failure(); }
  std::uint64_t ApproximateBytes(const KeyRange& range) const override;
  StorageResult<void> MakeCheckpoint(std::string_view id,
                                     std::span<const KeyRange> ranges) override;
  StorageResult<void> ImportCheckpoint(std::string_view id, const RowsToVisit& rows) override {
    RETURN_IF_ERROR(CheckCanCopy());
    return checkpoints_.Import(id, rows);
  }
  StorageResult<std::unique_ptr<Checkpoint>> OpenCheckpoint(std::string_view id) const override {
    return checkpoints_.Open(id);
  }
  StorageResult<void> DeleteCheckpoint(std::string_view id) override {
    return checkpoints_.Delete(id);
  }
  StorageResult<std::vector<std::string>> ListCheckpoints() const override {
    return checkpoints_.List();
  }
  StorageResult<void> CopyInto(BackupArchive& archive, std::string_view id,
                               std::string_view description) override;
  Stats GetStats() const override;

 private:
  StorageResult<void> Commit(std::span<const Write> writes);
  StorageResult<void> SyncLog();
  StorageResult<void> CheckCanCopy() const;
  // Closes the database, and records in the ledger that all of it is durable.
  void CloseDatabase();
  StorageError LogFailure(const rocksdb::Status& status);
  void StartRecovery();
  void TryToRecover();

  // Destroyed in reverse order: the lock on the directory is released last.
  const DataDirectory directory_;
  const RocksCaches caches_;
  const WatchedFiles files_;
  std::unique_ptr<rocksdb::DB> db_;
  const CheckpointDirectory checkpoints_;
  const SyncMode sync_;
  const std::string reading_;  // "read from …", for messages
  const std::string writing_;
  rocksdb::WriteBatch batch_;  // of the current commit; keeps its memory for the next
  std::atomic<std::uint64_t> sync_count_ = 0;
  std::atomic<bool> has_unsynced_ = false;
  std::atomic<bool> has_failed_ = false;  // a write or a sync, and was not mended
  DiskSpace space_;
  std::mutex recovering_;                     // held to sync in the background, and to recover
  std::atomic<bool> log_is_damaged_ = false;  // by a full disk, perhaps
  // The log of the last deleted range; zero: none.
  std::atomic<std::uint64_t> range_delete_log_ = 0;
  Writer writer_;
  std::optional<PeriodicCall> syncer_;  // only with SyncMode::kInterval
  std::once_flag recovery_started_;
  std::optional<PeriodicCall> recovery_;  // from the first time that the disk was full
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_ROCKS_STORE_H_
