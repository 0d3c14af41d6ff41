// Backups: tables as they were when checkpoints of the store were made, or copies of it in an archive.
#ifndef STATOR_ENGINE_HISTORY_BACKUP_H_
#define STATOR_ENGINE_HISTORY_BACKUP_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/catalog/table.h"
#include "stator/recovery.h"
#include "stator/result.h"
#include "storage/backup_archive.h"
#include "storage/store.h"

namespace stator {

struct Backup {
  std::string id;  // of the backup and its checkpoint or copy; ids ascend with the time of creation
  std::string name;
  std::string arn;
  BackupType type = BackupType::kUser;
  std::int64_t creation_ms = 0;
  std::optional<std::int64_t> expiry_ms;
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  Table table;  // its definition; the counts are those above
  // The backup is a copy in the archive and described there, so it needs no row.
  bool is_copy = false;
};
using BackupPtr = std::shared_ptr<const Backup>;

// A backup's row in the catalog, and the description of a copy: a JSON object.
std::string EncodeBackup(const Backup& backup);
std::optional<Backup> DecodeBackup(std::string_view json);

// The backups of a database. Thread-safe; changes are made on the background thread and return when
// they are durable.
class Backups {
 public:
  // Reads every backup row of the store, and the descriptions of the copies in the archive (null:
  // there is none). A copy that cannot be read is left out.
  static StorageResult<std::unique_ptr<Backups>> Load(Store& store, const BackupArchive* archive);

  // Null if there is no such backup.
  BackupPtr Find(std::string_view id) const;
  // Ascending by id.
  std::vector<BackupPtr> All() const;

  // REQUIRES: the checkpoint or the copy with this id exists. An error from `is_wanted`, which sees the
  // catalog by which the row is written, leaves everything as it was.
  Result<BackupPtr> Add(Backup backup, const std::function<Result<void>()>& is_wanted);
  // Forgets the backup; the caller deletes its checkpoint, or has deleted its copy. `may_go` is as
  // `is_wanted` above.
  Result<void> Remove(const Backup& backup, const std::function<Result<void>()>& may_go);

  // As Catalog::Learn.
  StorageResult<bool> Learn(std::string_view key, std::optional<std::string_view> value);

 private:
  explicit Backups(Store& store) : store_(store) {}

  Store& store_;
  mutable std::mutex mutex_;
  std::map<std::string, BackupPtr, std::less<>> by_id_;  // guarded by mutex_
};

// Removes all backup rows: a store that was restored elsewhere does not have the checkpoints.
StorageResult<void> ForgetBackupRows(Store& store);

}  // namespace stator

#endif  // STATOR_ENGINE_HISTORY_BACKUP_H_
