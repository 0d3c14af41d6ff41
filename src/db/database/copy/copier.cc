#include "database/copy/copier.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/try.h"
#include "database/copy/copied_catalog.h"
#include "engine/catalog/row_key.h"
#include "engine/check/stored_catalog.h"
#include "engine/store_access.h"

namespace stator {
namespace {

using std::chrono::milliseconds;
using SteadyClock = std::chrono::steady_clock;

constexpr milliseconds kBetweenSaves{1'000};
constexpr milliseconds kBetweenRenewals{10'000};  // of a view from which rows are copied
constexpr milliseconds kBetweenReports{100};
constexpr milliseconds kBetweenLooks{50};  // for changes
constexpr std::size_t kChangedKeysMax = 200'000;

std::unexpected<StorageError> Refuse(std::string message) {
  return std::unexpected(StorageError{StorageError::Kind::kForeign, std::move(message)});
}

}  // namespace

void Copier::Show(const char* doing, std::uint64_t rows, std::uint64_t bytes,
                  std::optional<double> part) {
  const Time now = SteadyClock::now();
  if (!progress_ || now - shown_at_ < kBetweenReports) return;
  shown_at_ = now;
  CopyProgress progress{.doing = doing, .rows = rows, .bytes = bytes, .part = part};
  if (options_.follow) progress.behind = collected_.size();
  progress_(progress);
}

StorageResult<CopyReport> Copier::Run() {
  RETURN_IF_ERROR(source_.Renew());
  renewed_at_ = changed_at_ = SteadyClock::now();
  RETURN_IF_ERROR(CheckCanBeCopied(source_.rows(), options_.from));
  ASSIGN_OR_RETURN(const std::optional<CopyState> unfinished, target_.Load());
  ASSIGN_OR_RETURN(const std::string identity, IdentityOf(source_.rows(), options_.from));
  if (unfinished) {
    if (unfinished->source != identity) {
      return Refuse(
          fmt::format("{} holds an unfinished copy of another database, {}; go on with that one, "
                      "or begin again "
                      "with an empty target",
                      options_.to, unfinished->from));
    }
    state_ = *unfinished;
    RETURN_IF_ERROR(CopyBackups(/*is_final=*/false));
    RETURN_IF_ERROR(Resume());
  } else {
    state_ = {.source = identity, .from = options_.from, .number = source_.number()};
    RETURN_IF_ERROR(Begin());
    RETURN_IF_ERROR(CopyBackups(/*is_final=*/false));
  }
  RETURN_IF_ERROR(CopyRows());
  if (options_.follow) {
    RETURN_IF_ERROR(source_.number() == 0 ? FollowByComparing() : Follow());
  }
  RETURN_IF_ERROR(CopyBackups(/*is_final=*/true));
  RETURN_IF_ERROR(CompareRest());
  RETURN_IF_ERROR(Judge());
  ASSIGN_OR_RETURN(report_.source_is_still, source_.TryToOwn());
  report_.rows = state_.rows;
  report_.bytes = state_.bytes;
  RETURN_IF_ERROR(target_.Finish());
  if (still_since_) {
    const std::chrono::duration<double> passed = SteadyClock::now() - *still_since_;
    report_.seconds_since_stop = passed.count();
  }
  return report_;
}

StorageResult<void> Copier::Begin() {
  ASSIGN_OR_RETURN(const bool is_empty, target_.IsEmpty());
  if (!is_empty) {
    const StorageResult<std::string> identity = IdentityOf(target_.rows(), options_.to);
    if (identity && *identity == state_.source) {
      return Refuse(
          fmt::format("{} holds a finished copy of {} already; --verify-only compares the two",
                      options_.to, options_.from));
    }
    return Refuse(fmt::format(
        "{} is not empty, and what it holds is no unfinished copy of {}; name an empty target",
        options_.to, options_.from));
  }
  saved_at_ = SteadyClock::now();
  return target_.Save(state_);
}

// Rows may lie behind the cursor that were written after the state was saved, and the source may have
// changed since then.
StorageResult<void> Copier::Resume() {
  report_.was_resumed = true;
  RETURN_IF_ERROR(CatchUp(source_.number()));
  if (state_.is_complete) return {};
  std::string last;
  RETURN_IF_ERROR(target_.rows().Scan({state_.cursor, {}}, Direction::kReverse,
                                      [&](std::string_view key, std::string_view) {
                                        last = key;
                                        return false;
                                      }));
  if (last.empty()) return {};
  const std::string end = KeyAfter(last);
  RETURN_IF_ERROR(Equalize({state_.cursor, end}, "finding where it stopped"));
  state_.cursor = end;
  return target_.Save(state_);
}

StorageResult<void> Copier::CopyRows() {
  while (!state_.is_complete) {
    const Time now = SteadyClock::now();
    if (options_.follow && source_.number() != 0 && now - renewed_at_ > kBetweenRenewals) {
      RETURN_IF_ERROR(target_.WaitForAll());
      RETURN_IF_ERROR(source_.Renew());
      RETURN_IF_ERROR(CatchUp(source_.number()));
      renewed_at_ = SteadyClock::now();
    }
    ASSIGN_OR_RETURN(RowSlice slice,
                     ReadRowSlice(source_.rows(), {state_.cursor, {}}, kCopySliceBytes));
    state_.rows += slice.rows.size();
    state_.bytes += slice.bytes;
    if (!slice.rows.empty()) RETURN_IF_ERROR(target_.AddNew(std::move(slice.rows)));
    state_.is_complete = slice.is_last;
    state_.cursor = std::move(slice.end);
    if (slice.is_last || now - saved_at_ > kBetweenSaves) {
      RETURN_IF_ERROR(target_.Save(state_));
      saved_at_ = now;
    }
    Show("copying", state_.rows, state_.bytes,
         slice.is_last ? 1.0 : source_.PartBefore(state_.cursor, state_.bytes));
  }
  return {};
}

StorageResult<void> Copier::Collect(const std::vector<Write>& writes) {
  for (const Write& write : writes) {
    ++report_.changes;
    if (write.key.starts_with(kBackupRows)) backups_changed_ = true;
    const bool was_compared = comparison_.is_over() || write.key < comparison_.cursor();
    if (write.kind == Write::Kind::kDeleteRange) {
      if (state_.IsBehindCursor(write.key)) continue;
      RETURN_IF_ERROR(ApplyCollected());
      KeyRange range{std::string(write.key), std::string(write.value)};
      if (!state_.is_complete && (range.end.empty() || range.end > state_.cursor)) {
        range.end = state_.cursor;
      }
      if (was_compared) changed_ranges_.push_back(range);
      RETURN_IF_ERROR(target_.Clear(range));
      continue;
    }
    if (state_.IsBehindCursor(write.key) || write.key == kCopyRow) continue;
    if (was_compared) changed_keys_.emplace(write.key);
    std::optional<std::string>& value = collected_[std::string(write.key)];
    value.reset();
    if (write.kind == Write::Kind::kPut) value = write.value;
    collected_bytes_ += write.key.size() + write.value.size();
  }
  return {};
}

StorageResult<void> Copier::ApplyCollected() {
  if (collected_.empty()) return {};
  Show("following", state_.rows, state_.bytes);
  state_.rows += collected_.size();
  state_.bytes += collected_bytes_;
  collected_bytes_ = 0;
  return target_.Apply(std::exchange(collected_, {}), &state_);
}

StorageResult<void> Copier::CatchUp(std::uint64_t to) {
  const bool is_known = state_.number != 0 && source_.number() != 0;
  std::optional<std::uint64_t> reached;
  if (is_known) {
    const std::uint64_t before = state_.number;
    StorageResult<void> collected;
    const auto visit = [&](std::uint64_t number, const std::vector<Write>& writes) {
      // Until then the writes of the commits before it are what the state stands for.
      if (collected_bytes_ >= kCopySliceBytes) collected = ApplyCollected();
      if (collected) collected = Collect(writes);
      if (collected) state_.number = number;
      return collected.has_value();
    };
    ASSIGN_OR_RETURN(reached, source_.Changes(state_.number, to, visit));
    RETURN_IF_ERROR(collected);
    if (state_.number != before) changed_at_ = SteadyClock::now();
    RETURN_IF_ERROR(ApplyCollected());
    // The commits after the last log may all be in the tables, or the source is not the one it was.
    if (reached && to != CopySource::kNewest && *reached != to) reached.reset();
  }
  if (reached) return {};
  if (to == CopySource::kNewest) {
    RETURN_IF_ERROR(source_.Renew());
  }
  KeyRange copied{{}, state_.cursor};
  if (state_.is_complete) copied.end.clear();
  if (state_.is_complete || !state_.cursor.empty()) {
    ASSIGN_OR_RETURN(const std::uint64_t differences, Equalize(copied, "finding what changed"));
    if (differences > 0) changed_at_ = SteadyClock::now();
    report_.changes += differences;
  }
  state_.number = source_.number();
  return target_.Save(state_);
}

StorageResult<std::uint64_t> Copier::Equalize(KeyRange range, const char* doing) {
  RETURN_IF_ERROR(target_.WaitForAll());
  std::uint64_t differences = 0;
  std::uint64_t rows = 0;
  std::uint64_t bytes = 0;
  bool more = true;
  while (more) {
    RowChanges changes;
    ASSIGN_OR_RETURN(more,
                     NextDifference(source_.rows(), target_.rows(), range, changes, rows, bytes));
    for (const auto& [key, value] : changes) {
      if (key != kCountsRow) ++differences;
      if (key.starts_with(kBackupRows)) backups_changed_ = true;
      if (comparison_.is_over() || key < comparison_.cursor()) changed_keys_.insert(key);
    }
    state_.rows += changes.size();
    if (!changes.empty()) RETURN_IF_ERROR(target_.Apply(std::move(changes), nullptr));
    Show(doing, rows, bytes, more ? source_.PartBefore(range.begin, bytes) : 1.0);
  }
  return differences;
}

StorageResult<bool> Copier::MustStop() {
  if (!still_since_) {
    ASSIGN_OR_RETURN(const bool is_still, source_.TryToOwn());
    if (is_still) still_since_ = SteadyClock::now();
  }
  if (still_since_ || IsStopped()) return true;
  return options_.until_quiet && SteadyClock::now() - changed_at_ >= *options_.until_quiet;
}

StorageResult<void> Copier::Follow() {
  while (true) {
    // Asked first, so that what is read afterwards is all there is.
    ASSIGN_OR_RETURN(const bool must_stop, MustStop());
    if (must_stop) return FinishFollowing();
    RETURN_IF_ERROR(CatchUp(CopySource::kNewest));
    if (backups_changed_) {
      RETURN_IF_ERROR(source_.Renew());
      RETURN_IF_ERROR(CatchUp(source_.number()));
      RETURN_IF_ERROR(CopyBackups(/*is_final=*/false));
    }
    if (!comparison_.is_over() || changed_keys_.size() > kChangedKeysMax) {
      RETURN_IF_ERROR(CompareForAWhile());
    } else {
      Show("following", state_.rows, state_.bytes);
      std::this_thread::sleep_for(kBetweenLooks);
    }
  }
}

// Of a source that does not tell its changes.
StorageResult<void> Copier::FollowByComparing() {
  while (true) {
    ASSIGN_OR_RETURN(const bool must_stop, MustStop());
    RETURN_IF_ERROR(CatchUp(CopySource::kNewest));
    if (backups_changed_) RETURN_IF_ERROR(CopyBackups(/*is_final=*/false));
    if (must_stop) return CheckCanBeCopied(source_.rows(), options_.from);
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

StorageResult<void> Copier::FinishFollowing() {
  RETURN_IF_ERROR(source_.Renew());
  RETURN_IF_ERROR(CatchUp(source_.number()));
  return CheckCanBeCopied(source_.rows(), options_.from);
}

StorageResult<void> Copier::CopyBackups(bool is_final) {
  backups_changed_ = false;
  ASSIGN_OR_RETURN(const std::vector<CopiedBackup> backups, BackupsIn(source_.rows()));
  ASSIGN_OR_RETURN(const std::vector<std::string> there, source_.ListCheckpoints());
  ASSIGN_OR_RETURN(const std::vector<std::string> copied, target_.store().ListCheckpoints());
  for (const std::string& id : copied) {
    if (std::ranges::find(backups, id, &CopiedBackup::id) != backups.end()) continue;
    RETURN_IF_ERROR(target_.store().DeleteCheckpoint(id));
  }
  for (const CopiedBackup& backup : backups) {
    if (std::ranges::find(copied, backup.id) != copied.end()) continue;
    if (std::ranges::find(there, backup.id) == there.end()) {
      if (!is_final) continue;  // deleted meanwhile
      return Refuse(fmt::format("the rows of backup {} are missing in {}; delete the backup first",
                                backup.name, options_.from));
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<Checkpoint> rows, source_.OpenCheckpoint(backup.id));
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    const auto visit_rows = [&](const Visitor& visit) -> StorageResult<void> {
      const auto count_and_visit = [&](std::string_view key, std::string_view value) {
        ++count;
        bytes += key.size() + value.size();
        Show("copying a backup", count, bytes);
        return visit(key, value);
      };
      for (const KeyRange& range : RangesOf(backup)) {
        RETURN_IF_ERROR(rows->Scan(range, Direction::kForward, count_and_visit));
      }
      return {};
    };
    RETURN_IF_ERROR(target_.store().ImportCheckpoint(backup.id, visit_rows));
  }
  report_.backups = backups.size();
  return CompareBackups(backups);
}

}  // namespace stator
