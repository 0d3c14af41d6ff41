// Backups: tables as they were when checkpoints of the store were made.
#ifndef STATOR_ENGINE_HISTORY_BACKUP_H_
#define STATOR_ENGINE_HISTORY_BACKUP_H_

#include <cstdint>
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
#include "storage/store.h"

namespace stator {

struct Backup {
  std::string id;  // of the backup and of its checkpoint; ids ascend with the time of creation
  std::string name;
  std::string arn;
  BackupType type = BackupType::kUser;
  std::int64_t creation_ms = 0;
  std::optional<std::int64_t> expiry_ms;
  std::int64_t items = 0;
  std::int64_t bytes = 0;
  Table table;  // its definition; the counts are those above
};
using BackupPtr = std::shared_ptr<const Backup>;

// A backup's row in the catalog: a JSON object.
std::string EncodeBackup(const Backup& backup);
std::optional<Backup> DecodeBackup(std::string_view json);

// The backups of a database. Thread-safe; changes are made on the background thread and return when
// they are durable.
class Backups {
 public:
  // Reads every backup row of the store.
  static StorageResult<std::unique_ptr<Backups>> Load(Store& store);

  // Null if there is no such backup.
  BackupPtr Find(std::string_view id) const;
  // Ascending by id.
  std::vector<BackupPtr> All() const;

  // REQUIRES: the checkpoint with this id exists.
  Result<BackupPtr> Add(Backup backup);
  // Forgets the backup; the caller deletes its checkpoint.
  Result<void> Remove(const std::string& id);

 private:
  explicit Backups(Store& store) : store_(store) {}

  Store& store_;
  mutable std::mutex mutex_;
  std::map<std::string, BackupPtr, std::less<>> by_id_;  // guarded by mutex_
};

}  // namespace stator

#endif  // STATOR_ENGINE_HISTORY_BACKUP_H_
