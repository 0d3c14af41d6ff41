// CopyTarget: the store that a database is copied into.
//
// How far the copy has come stands in the row 0x01 "copy" of the target, as a JSON object:
//
//   {"format":1,"source":…,"from":…,"complete":…,"cursor":…,"number":…,"rows":…,"bytes":…}
//
// The row is there from the first write to the last, and while it is no engine opens the store.
#ifndef STATOR_DATABASE_COPY_COPY_TARGET_H_
#define STATOR_DATABASE_COPY_COPY_TARGET_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "database/copy/copied_rows.h"
#include "storage/store.h"

namespace stator {

// The target's rows before the cursor are those of the source at commit `number`. Behind it there may be
// rows that were copied after the state was saved.
struct CopyState {
  std::string source;        // which database it is, wherever it lies
  std::string from;          // what the command called it
  bool is_complete = false;  // the cursor is behind the last row
  std::string cursor;
  std::uint64_t number = 0;  // 0: the source does not number its commits
  std::uint64_t rows = 0;    // written so far
  std::uint64_t bytes = 0;

  bool IsBehindCursor(std::string_view key) const { return !is_complete && key >= cursor; }
};

// Not thread-safe.
class CopyTarget {
 public:
  explicit CopyTarget(Store& store);
  // Waits for what is under way.
  ~CopyTarget();
  CopyTarget(const CopyTarget&) = delete;
  CopyTarget& operator=(const CopyTarget&) = delete;

  Store& store() { return store_; }
  const Checkpoint& rows() const { return *rows_; }

  // Nullopt if there is no unfinished copy.
  StorageResult<std::optional<CopyState>> Load() const;
  // Neither rows nor checkpoints.
  StorageResult<bool> IsEmpty() const;

  // Waits for all writes before it.
  StorageResult<void> Save(const CopyState& state);
  // Writes rows whose keys the target does not have. Does not wait; an error is that of an earlier call.
  StorageResult<void> AddNew(std::vector<CopiedRow> rows);
  // Makes changes, with the state if there is one, and waits for them.
  StorageResult<void> Apply(RowChanges changes, const CopyState* state);
  StorageResult<void> Clear(const KeyRange& range);
  StorageResult<void> WaitForAll();
  // The copy is whole: engines may open the store.
  StorageResult<void> Finish();

 private:
  class UnderWay;
  // A store that several processes share keeps sums of what its tables hold.
  bool IsCounted(std::string_view key) const;
  // The counts of the last close belong to a store of one process.
  bool IsLeftOut(std::string_view key) const;

  Store& store_;
  const std::unique_ptr<Checkpoint> rows_;
  const std::shared_ptr<UnderWay> under_way_;
};

}  // namespace stator

#endif  // STATOR_DATABASE_COPY_COPY_TARGET_H_
