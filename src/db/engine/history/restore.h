// Restore: fills a restored table from a checkpoint, slice by slice (engine/background.h).
//
// The table is in the catalog with status CREATING and an origin. Each commit holds the rows of a
// slice and the position after it, so that a restart continues where the last commit ended.
#ifndef STATOR_ENGINE_HISTORY_RESTORE_H_
#define STATOR_ENGINE_HISTORY_RESTORE_H_

#include <memory>
#include <optional>

#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "engine/history/past.h"
#include "stator/result.h"
#include "storage/backup_archive.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

class Restore {
 public:
  // Reads the copy in the archive (null: there is none) if it has one, else the store's checkpoint.
  Restore(Store& store, const BackupArchive* archive, Catalog& catalog, const KeyHasher& hasher,
          TableNumber table)
      : store_(store), archive_(archive), catalog_(catalog), hasher_(hasher), number_(table) {}

  // Does a slice of the work. False when the table is complete and ACTIVE.
  Result<bool> Step();

  // Drops the table of a restore that cannot be completed. The caller clears its rows.
  Result<void> GiveUp();

 private:
  Result<bool> Begin(const Table& table);
  Result<bool> Finish(const RestoreOrigin& origin);
  // Removes what is not needed once the table is complete, or dropped.
  Result<void> CleanUp(const RestoreOrigin& origin);

  Store& store_;
  const BackupArchive* const archive_;
  Catalog& catalog_;
  const KeyHasher& hasher_;
  const TableNumber number_;
  std::unique_ptr<Checkpoint> source_;
  std::optional<PastItems> items_;  // reads source_
  // The position as it is stored.
  std::optional<std::string> cursor_;
};

// Whether the origin's checkpoint was made for the restore alone.
bool OwnsCheckpoint(const RestoreOrigin& origin);

}  // namespace stator

#endif  // STATOR_ENGINE_HISTORY_RESTORE_H_
