// The comparing part of Copier.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/try.h"
#include "database/copy/copied_catalog.h"
#include "database/copy/copier.h"

namespace stator {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr milliseconds kComparingAtOnce{2'000};  // while changes wait
constexpr std::size_t kComparedKeys = 1'000;

}  // namespace

// REQUIRES: the target has caught up with the view.
StorageResult<void> Copier::CompareStep() {
  compared_at_.insert(source_.number());
  RETURN_IF_ERROR(comparison_.Step(source_.rows(), target_.rows()));
  Show("comparing", comparison_.rows(), comparison_.bytes(),
       comparison_.is_over() ? 1.0 : source_.PartBefore(comparison_.cursor(), comparison_.bytes()));
  return {};
}

StorageResult<void> Copier::CompareRest() {
  while (!comparison_.is_over()) RETURN_IF_ERROR(CompareStep());
  return CompareChanged();
}

StorageResult<void> Copier::CompareForAWhile() {
  RETURN_IF_ERROR(source_.Renew());
  RETURN_IF_ERROR(CatchUp(source_.number()));
  const Time begun = SteadyClock::now();
  while (!comparison_.is_over() && SteadyClock::now() - begun < kComparingAtOnce) {
    RETURN_IF_ERROR(CompareStep());
  }
  return CompareChanged();
}

StorageResult<void> Copier::CompareChanged() {
  std::vector<std::string> keys;
  const auto compare = [&]() -> StorageResult<void> {
    ASSIGN_OR_RETURN(const auto there, target_.store().MultiGet(keys));
    std::string value;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ++report_.compared_rows;
      ASSIGN_OR_RETURN(const bool is_there, source_.rows().Get(keys[i], value));
      const bool is_same = is_there ? there[i] == value : !there[i].has_value();
      if (!is_same) report_.differences.push_back("row " + HexText(keys[i]) + " differs");
    }
    keys.clear();
    return {};
  };
  for (const std::string& key : changed_keys_) {
    if (IsOfNoContent(key)) continue;
    keys.push_back(key);
    if (keys.size() == kComparedKeys) RETURN_IF_ERROR(compare());
  }
  RETURN_IF_ERROR(compare());
  changed_keys_.clear();
  for (KeyRange& range : std::exchange(changed_ranges_, {})) {
    Comparison comparison(std::move(range));
    bool more = true;
    while (more) {
      ASSIGN_OR_RETURN(more, comparison.Step(source_.rows(), target_.rows()));
    }
    for (const std::string& difference : comparison.differences()) {
      report_.differences.push_back(difference);
    }
  }
  return {};
}

StorageResult<void> Copier::CompareBackups(const std::vector<CopiedBackup>& backups) {
  ASSIGN_OR_RETURN(const std::vector<std::string> there, source_.ListCheckpoints());
  for (const CopiedBackup& backup : backups) {
    if (std::ranges::find(there, backup.id) == there.end()) continue;  // deleted meanwhile
    if (!compared_backups_.insert(backup.id).second) continue;
    ASSIGN_OR_RETURN(const auto source, source_.OpenCheckpoint(backup.id));
    ASSIGN_OR_RETURN(const auto target, target_.store().OpenCheckpoint(backup.id));
    ASSIGN_OR_RETURN(const ComparedSpace compared,
                     CompareBackup(backup, *source, *target, report_.differences));
    report_.compared_rows += compared.source.rows;
    report_.spaces.push_back(compared);
  }
  return {};
}

StorageResult<void> Copier::Judge() {
  report_.compared_rows += comparison_.rows();
  for (const std::string& difference : comparison_.differences()) {
    report_.differences.push_back(difference);
  }
  // Sums of rows of several moments mean nothing.
  if (compared_at_.size() == 1 && compared_at_.contains(source_.number())) {
    std::vector<ComparedSpace> spaces = comparison_.Spaces();
    report_.spaces.insert(report_.spaces.begin(), spaces.begin(), spaces.end());
  }
  if (report_.differences.empty()) return {};
  // The next attempt looks at every row.
  state_.is_complete = true;
  state_.number = 0;
  RETURN_IF_ERROR(target_.Save(state_));
  return std::unexpected(StorageError{
      StorageError::Kind::kCorrupt,
      fmt::format("the copy differs from its source in {} places, the first: {}; the target stays "
                  "closed. Run the same command again: it looks at every row and corrects it",
                  report_.differences.size(), report_.differences.front())});
}

}  // namespace stator
