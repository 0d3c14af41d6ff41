// Rules about restores: what a restored table has of its source, and what the request puts in its
// place (behaviour.md §9.7).
#ifndef STATOR_API_BACKUPS_RESTORE_RULES_H_
#define STATOR_API_BACKUPS_RESTORE_RULES_H_

#include <string>

#include "api/constraints.h"
#include "engine/engine.h"
#include "stator/recovery.h"
#include "stator/result.h"

namespace stator {

// The framework's constraints on the target's name, then on the overrides.
void ConstrainTarget(Constraints& check, const std::optional<std::string>& name);
void ConstrainOverrides(Constraints& check, const RestoreOverrides& overrides);

// What is wrong with the overrides whatever the source is.
Result<void> CheckOverrides(const RestoreOverrides& overrides);

// The table that a restore of `source` under this name makes: keys, indexes, billing and on-demand
// maxima come with it; stream, expiry, recovery, tags, class and protection do not.
// REQUIRES: CheckOverrides holds.
Result<Table> MakeTarget(const Table& source, const RestoreOverrides& overrides, std::string name,
                         const Engine& engine);

// The name is free. "Table already exists: …"
Result<void> CheckTargetIsFree(const std::string& name, Engine& engine);

}  // namespace stator

#endif  // STATOR_API_BACKUPS_RESTORE_RULES_H_
