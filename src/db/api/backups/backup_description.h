// What DynamoDB tells about a backup, and how requests name one (behaviour.md §9.7).
#ifndef STATOR_API_BACKUPS_BACKUP_DESCRIPTION_H_
#define STATOR_API_BACKUPS_BACKUP_DESCRIPTION_H_

#include <optional>
#include <string>

#include "engine/engine.h"
#include "stator/recovery.h"
#include "stator/result.h"
#include "value/json_writer.h"

namespace stator {

// The id in a BackupArn of a request; the checks that need no backup.
Result<std::string> BackupIdOf(const std::optional<std::string>& arn, const Engine& engine);
// The backup itself. REQUIRES: BackupIdOf holds.
Result<BackupPtr> FindBackup(const std::string& arn, Engine& engine);

BackupDetails DescribeDetails(const Backup& backup);
BackupDescription Describe(const Backup& backup);

// {"BackupArn":…,…}
void WriteBackupDetails(JsonWriter& out, const BackupDetails& details);
// {"BackupDescription":{…}}
void WriteBackupDescription(JsonWriter& out, const BackupDescription& backup);

}  // namespace stator

#endif  // STATOR_API_BACKUPS_BACKUP_DESCRIPTION_H_
