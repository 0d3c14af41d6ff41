// Backups, and how requests name one (behaviour.md §9.7).
#ifndef STATOR_API_BACKUPS_BACKUPS_H_
#define STATOR_API_BACKUPS_BACKUPS_H_

#include <optional>
#include <string>

#include "engine/engine.h"
#include "stator/recovery.h"
#include "stator/result.h"

namespace stator {

// The id in a BackupArn of a request; the checks that need no backup.
Result<std::string> BackupIdOf(const std::optional<std::string>& arn, const Engine& engine);
// The backup itself. REQUIRES: BackupIdOf holds.
Result<BackupPtr> FindBackup(const std::string& arn, Engine& engine);

BackupDetails DescribeDetails(const Backup& backup);
BackupDescription Describe(const Backup& backup);

}  // namespace stator

#endif  // STATOR_API_BACKUPS_BACKUPS_H_
