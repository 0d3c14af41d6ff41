// Fills a restored table, slice by slice, from a checkpoint (engine/background.h).
//
// The table is in the catalog with status CREATING and an origin. Each commit holds the rows of a
// slice and how far it got, so a restart goes on where the last commit ended.
#ifndef STATOR_ENGINE_HISTORY_RESTORE_H_
#define STATOR_ENGINE_HISTORY_RESTORE_H_

#include <memory>
#include <optional>

#include "engine/catalog/catalog.h"
#include "engine/catalog/table.h"
#include "engine/history/history.h"
#include "stator/result.h"
#include "storage/store.h"
#include "value/key_codec.h"

namespace stator {

class Restore {
 public:
  Restore(Store& store, Catalog& catalog, const KeyHasher& hasher, TableNumber table)
      : store_(store), catalog_(catalog), hasher_(hasher), number_(table) {}

  // Does a slice of the work. False when the table is whole and ACTIVE.
  Result<bool> Step();

  // Takes back a restore that cannot be completed: its table is dropped. Its rows are left to be
  // cleared.
  Result<void> GiveUp();

 private:
  Result<bool> Begin(const Table& table);
  Result<bool> Finish();
  // What nobody needs once the table is whole, or gone.
  Result<void> CleanUp(const RestoreOrigin& origin);

  Store& store_;
  Catalog& catalog_;
  const KeyHasher& hasher_;
  const TableNumber number_;
  std::unique_ptr<Checkpoint> source_;
  std::optional<PastItems> items_;  // reads source_
};

// Whether the origin's checkpoint was made for the restore alone.
bool OwnsCheckpoint(const RestoreOrigin& origin);

}  // namespace stator

#endif  // STATOR_ENGINE_HISTORY_RESTORE_H_
