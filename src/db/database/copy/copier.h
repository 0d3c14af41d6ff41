// Copier: carries a copy out, from whatever state the target is in.
//
// The rows are read in slices from a view of the source. A source that is followed changes meanwhile, so
// now and then the view is renewed and the changes up to it are applied to what has been copied: the rows
// before the cursor are always those of the source at one commit. When the cursor is at the end, the
// changes are all that is left to do, and the rows are compared in the same way. Rows that change
// after they were compared are compared once more, so that little is left to compare when the source stops.
#ifndef STATOR_DATABASE_COPY_COPIER_H_
#define STATOR_DATABASE_COPY_COPIER_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "database/copy/copied_catalog.h"
#include "database/copy/copied_rows.h"
#include "database/copy/copy.h"
#include "database/copy/copy_target.h"
#include "engine/catalog/table.h"
#include "storage/copy_source.h"

namespace stator {

class Copier {
 public:
  // All must outlive it.
  Copier(CopySource& source, Store& target, const CopyOptions& options,
         const CopyProgressCallback& progress)
      : source_(source), target_(target), options_(options), progress_(progress) {}

  // REQUIRES: once.
  StorageResult<CopyReport> Run();

 private:
  using Time = std::chrono::steady_clock::time_point;

  StorageResult<void> Begin();
  StorageResult<void> Resume();
  StorageResult<void> CopyRows();
  StorageResult<void> Follow();
  StorageResult<void> FollowByComparing();
  StorageResult<bool> MustStop();
  StorageResult<void> FinishFollowing();
  // Copies backups that the target does not have, and deletes those that the source does not have.
  StorageResult<void> CopyBackups(bool is_final);
  // Those that have not been compared yet.
  StorageResult<void> CompareBackups(const std::vector<CopiedBackup>& backups);

  // Brings the rows before the cursor up to commit `to`.
  StorageResult<void> CatchUp(std::uint64_t to);
  StorageResult<void> Collect(const std::vector<Write>& writes);
  StorageResult<void> ApplyCollected();
  // Makes the rows of the range those of the view. Counts the differences.
  StorageResult<std::uint64_t> Equalize(KeyRange range, const char* doing);

  StorageResult<void> CompareStep();
  StorageResult<void> CompareRest();
  StorageResult<void> CompareForAWhile();
  StorageResult<void> CompareChanged();
  StorageResult<void> Judge();

  void Show(const char* doing, std::uint64_t rows, std::uint64_t bytes,
            std::optional<double> part = {});
  bool IsStopped() const { return options_.stop != nullptr && options_.stop->load(); }

  CopySource& source_;
  CopyTarget target_;
  const CopyOptions& options_;
  const CopyProgressCallback& progress_;
  CopyState state_;
  CopyReport report_;
  Time shown_at_;
  Time saved_at_;
  Time renewed_at_;
  Time changed_at_;  // when the source last changed, as far as is known
  std::optional<Time> still_since_;
  bool backups_changed_ = false;

  RowChanges collected_;
  std::size_t collected_bytes_ = 0;

  Comparison comparison_;
  std::set<std::uint64_t> compared_at_;  // the commits whose rows were compared
  std::set<std::string> compared_backups_;
  // Changed since they were compared.
  std::set<std::string, std::less<>> changed_keys_;
  std::vector<KeyRange> changed_ranges_;
};

}  // namespace stator

#endif  // STATOR_DATABASE_COPY_COPIER_H_
