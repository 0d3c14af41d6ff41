// Recovery: backups, and tables that can be restored to a point in time.
//
// A backup is a checkpoint of the whole store and a row that describes one table in it. With an archive,
// the backups that users make are copies in it instead, which outlive the store. A table with
// recovery keeps its history (history.h). Both are restored from a checkpoint into a new table
// (restore.h). Opening a database removes checkpoints that no backup, restore or export needs.
#ifndef STATOR_ENGINE_HISTORY_RECOVERY_H_
#define STATOR_ENGINE_HISTORY_RECOVERY_H_

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engine/background.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "engine/history/backup.h"
#include "engine/history/history.h"
#include "engine/sharing/keeper_work.h"
#include "stator/result.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

// Everything that changes something must run on the background thread.
class Recovery {
 public:
  struct Parts {
    Store& store;
    Catalog& catalog;
    const KeyHasher& hasher;
    const Clock& clock;
    Background& background;
    KeeperWork& work;
    // Clears the rows of a dropped table.
    std::function<void(TableNumber)> clear;
    // Checkpoints that others need.
    std::function<std::vector<std::string>()> used_checkpoints;
    BackupArchive* archive = nullptr;  // null: backups are checkpoints
  };
  // Reads the backups and removes checkpoints that nothing needs.
  static Result<std::unique_ptr<Recovery>> Open(Parts parts);
  // Resumes what a crash has interrupted, and begins to maintain histories and backups.
  void Start();
  // Resumes what another process has begun. REQUIRES: this one is the keeper.
  void FindWork();

  // From now on the table keeps its changes for `days` days (nullopt: as before, or 35).
  Result<TablePtr> EnableHistory(TableNumber table, std::optional<std::int64_t> days);
  Result<TablePtr> DisableHistory(TableNumber table);

  const Backups& backups() const { return *backups_; }
  // As Catalog::Learn.
  StorageResult<bool> Learn(std::string_view key, std::optional<std::string_view> value) {
    return backups_->Learn(key, value);
  }
  // May run on any thread; a copy takes its time.
  Result<BackupPtr> MakeBackup(const Table& table, std::string name, BackupType type);
  // kBackupInUse while the archive is busy with another backup.
  Result<void> DeleteBackup(const Backup& backup);
  // Whether a table is being restored from it.
  bool IsInUse(const Backup& backup) const;

  // For a table with recovery that is about to be dropped: shuts writers out and makes a system backup
  // of it. On failure the table is as it was.
  Result<void> BackUpForDeletion(const TablePtr& table);

  // Adds `target` to the catalog and begins to fill it: from a backup, or from the past of `source`,
  // which has recovery. REQUIRES: the name is free, and the target's indexes suit the source's items.
  Result<TablePtr> RestoreBackup(const Backup& backup, Table target);
  Result<TablePtr> RestorePast(const Table& source, TimeMs at, Table target);

 private:
  explicit Recovery(Parts parts);
  // Removes checkpoints that nothing has needed for so long. Another process may be about to need one
  // that it has just made.
  Result<void> RemoveUnusedCheckpoints(std::chrono::steady_clock::duration unused_for);
  // Of all that is read from a checkpoint of the table.
  StorageResult<void> MakeCheckpoint(const std::string& id, TableNumber table);
  Result<TablePtr> StartRestore(RestoreOrigin origin, Table target);
  void Fill(TableNumber table);
  void FinishDeletion(TableNumber table);
  // Trims histories and deletes expired backups; says how long it can rest.
  std::chrono::milliseconds Maintain();
  Result<void> DeleteExpiredBackups(TimeMs now);
  std::string NewId();

  const Parts parts_;
  std::unique_ptr<Backups> backups_;
  HistoryTrim trim_;
  using RealTime = std::chrono::steady_clock::time_point;
  std::map<std::string, RealTime, std::less<>> unused_since_;  // checkpoints
  RealTime next_look_at_checkpoints_;
  std::map<TableNumber, RealTime> deleting_since_;  // tables that another process deletes
  std::mutex id_mutex_;
  std::pair<std::int64_t, std::uint32_t> last_id_;  // guarded by id_mutex_
};

}  // namespace stator

#endif  // STATOR_ENGINE_HISTORY_RECOVERY_H_
