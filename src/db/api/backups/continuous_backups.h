// What backups and point-in-time recovery share (behaviour.md §9.7).
#ifndef STATOR_API_BACKUPS_CONTINUOUS_BACKUPS_H_
#define STATOR_API_BACKUPS_CONTINUOUS_BACKUPS_H_

#include <string>

#include "base/clock.h"
#include "engine/engine.h"
#include "stator/recovery.h"
#include "stator/result.h"

namespace stator {

// A table that can be backed up. "Table not found: Music", also while it is being filled.
Result<TablePtr> FindBackedUpTable(const std::string& name, const Engine& engine);

ContinuousBackupsResponse DescribeContinuousBackups(const Table& table, TimeMs now);

}  // namespace stator

#endif  // STATOR_API_BACKUPS_CONTINUOUS_BACKUPS_H_
