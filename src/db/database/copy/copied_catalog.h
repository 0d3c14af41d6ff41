// What a copy must know about the database that it copies.
#ifndef STATOR_DATABASE_COPY_COPIED_CATALOG_H_
#define STATOR_DATABASE_COPY_COPIED_CATALOG_H_

#include <string>
#include <string_view>
#include <vector>

#include "database/copy/copy.h"
#include "engine/catalog/table.h"
#include "storage/store.h"

namespace stator {

inline constexpr std::string_view kBackupRows =
    "\x01"
    "backup";

// A text that no other database has. An error if there is no database; `name` is what it is called.
StorageResult<std::string> IdentityOf(const Checkpoint& rows, std::string_view name);

// An error if the database is unfinished itself, or works on something that is not in its rows.
StorageResult<void> CheckCanBeCopied(const Checkpoint& rows, std::string_view name);

struct CopiedBackup {
  std::string id;  // of its checkpoint
  std::string name;
  TableNumber table = 0;
};
StorageResult<std::vector<CopiedBackup>> BackupsIn(const Checkpoint& rows);
// What a backup needs of its checkpoint: the items and the history of its table.
std::vector<KeyRange> RangesOf(const CopiedBackup& backup);

// Adds what is not equal to `differences`.
StorageResult<ComparedSpace> CompareBackup(const CopiedBackup& backup, const Checkpoint& source,
                                           const Checkpoint& target,
                                           std::vector<std::string>& differences);

}  // namespace stator

#endif  // STATOR_DATABASE_COPY_COPIED_CATALOG_H_
