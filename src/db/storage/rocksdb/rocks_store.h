// RocksStore: the store on a disk.
#ifndef STATOR_STORAGE_ROCKSDB_ROCKS_STORE_H_
#define STATOR_STORAGE_ROCKSDB_ROCKS_STORE_H_

#include <rocksdb/cache.h>
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "storage/rocksdb/checkpoint_directory.h"
#include "storage/rocksdb/creation_env.h"
#include "storage/rocksdb/data_directory.h"
#include "storage/rocksdb/log_syncer.h"
#include "storage/rocksdb/rocks_settings.h"
#include "storage/store.h"
#include "storage/writer.h"

namespace stator {

class RocksStore final : public Store {
 public:
  // `creation` is the environment of a database that has just been made, null for one that was
  // there.
  RocksStore(DataDirectory directory, RocksCaches caches, std::unique_ptr<CreationEnv> creation,
             std::unique_ptr<rocksdb::DB> db, SyncMode sync);
  ~RocksStore() override;

  void Mutate(std::unique_ptr<Mutation> mutation) override { writer_.Mutate(std::move(mutation)); }
  StorageResult<bool> Get(std::string_view key, std::string& value) const override;
  StorageResult<std::vector<std::optional<std::string>>> MultiGet(
      std::span<const std::string> keys) const override;
  std::unique_ptr<ReadView> Snapshot() const override;
  StorageResult<void> Scan(const KeyRange& range, Direction direction, const Visitor& visit,
                           const ReadView* view) const override;
  std::uint64_t ApproximateBytes(const KeyRange& range) const override;
  StorageResult<void> MakeCheckpoint(std::string_view id) override {
    return checkpoints_.Make(*db_, id);
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
  Stats GetStats() const override;

 private:
  StorageResult<void> Commit(std::span<const Write> writes);
  StorageResult<void> SyncLog();

  // Destroyed in reverse order: the lock goes last.
  const DataDirectory directory_;
  const RocksCaches caches_;
  const std::unique_ptr<CreationEnv> creation_;
  const std::unique_ptr<rocksdb::DB> db_;
  const CheckpointDirectory checkpoints_;
  const SyncMode sync_;
  const std::string reading_;  // what is being done, for messages
  const std::string writing_;
  rocksdb::WriteBatch batch_;  // of the commit; keeps its memory for the next
  std::atomic<std::uint64_t> sync_count_ = 0;
  std::atomic<bool> has_unsynced_ = false;
  Writer writer_;
  std::optional<LogSyncer> syncer_;  // with SyncMode::kInterval
};

}  // namespace stator

#endif  // STATOR_STORAGE_ROCKSDB_ROCKS_STORE_H_
