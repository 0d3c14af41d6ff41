#include "engine/history/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/big_endian.h"
#include "base/log.h"
#include "base/random.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"
#include "engine/history/past.h"
#include "engine/history/restore.h"
#include "engine/sharing/scope.h"
#include "engine/store_access.h"

namespace stator {
namespace {

constexpr std::int64_t kDefaultDays = 35;
constexpr std::chrono::days kSystemBackupLife{35};
// Short, because what it waits for is measured on the database's clock, which may be turned.
constexpr std::chrono::milliseconds kRestWithWork{1'000};
constexpr std::chrono::hours kRestWithoutWork{1};
// On a shared store.
constexpr std::chrono::minutes kDeletionTime{1};
constexpr std::chrono::minutes kRestOfCheckpoints{10};
constexpr std::chrono::hours kUnusedCheckpointLife{1};

void LogFailure(std::string_view work, const Error& error) {
  Log(LogLevel::kError, "background work failed", {{"work", work}, {"error", error.message()}});
}

}  // namespace

Recovery::Recovery(Parts parts) : parts_(std::move(parts)), trim_(parts_.store, parts_.catalog) {}

Result<std::unique_ptr<Recovery>> Recovery::Open(Parts parts) {
  std::unique_ptr<Recovery> recovery(new Recovery(std::move(parts)));
  ASSIGN_OR_RETURN(recovery->backups_,
                   ForOperator(Backups::Load(recovery->parts_.store, recovery->parts_.archive)));
  if (recovery->parts_.store.sharing() == nullptr) {
    RETURN_IF_ERROR(recovery->RemoveUnusedCheckpoints(std::chrono::seconds(0)));
  }
  return recovery;
}

Result<void> Recovery::RemoveUnusedCheckpoints(std::chrono::steady_clock::duration unused_for) {
  ASSIGN_OR_RETURN(const std::vector<std::string> ids, ForOperator(parts_.store.ListCheckpoints()));
  const RealTime now = std::chrono::steady_clock::now();
  std::map<std::string, RealTime, std::less<>> unused;
  for (const std::string& id : ids) {
    const auto known = unused_since_.find(id);
    unused[id] = known == unused_since_.end() ? now : known->second;
  }
  if (unused.empty()) return {};
  for (const std::string& id : parts_.used_checkpoints()) unused.erase(id);
  for (const BackupPtr& backup : backups_->All()) unused.erase(backup->id);
  for (const TablePtr& table : parts_.catalog.All()) {
    if (table->restored_from) unused.erase(table->restored_from->checkpoint);
  }
  unused_since_ = unused;
  for (const auto& [id, since] : unused) {
    if (now - since < unused_for) continue;
    RETURN_IF_ERROR(FromStorage(parts_.store.DeleteCheckpoint(id)));
    unused_since_.erase(id);
  }
  return {};
}

void Recovery::Start() {
  if (parts_.store.sharing() == nullptr) {
    for (const TablePtr& table : parts_.catalog.All()) {
      if (table->status == TableStatus::kCreating && table->restored_from) Fill(table->number);
      if (table->status == TableStatus::kDeleting) FinishDeletion(table->number);
    }
  }
  parts_.work.AddDuty([this] { return Maintain(); });
}

void Recovery::FindWork() {
  const RealTime now = std::chrono::steady_clock::now();
  std::map<TableNumber, RealTime> deleting;
  for (const TablePtr& table : parts_.catalog.All()) {
    if (table->status == TableStatus::kCreating && table->restored_from) Fill(table->number);
    if (table->status != TableStatus::kDeleting) continue;
    const auto known = deleting_since_.find(table->number);
    const RealTime since = known == deleting_since_.end() ? now : known->second;
    deleting[table->number] = since;
    // Whoever began has had its time.
    if (now - since > kDeletionTime) FinishDeletion(table->number);
  }
  deleting_since_ = std::move(deleting);
  if (now < next_look_at_checkpoints_) return;
  next_look_at_checkpoints_ = now + kRestOfCheckpoints;
  const Result<void> removed = RemoveUnusedCheckpoints(kUnusedCheckpointLife);
  if (!removed) LogFailure("remove checkpoints that nothing needs", removed.error());
}

Result<TablePtr> Recovery::EnableHistory(TableNumber table, std::optional<std::int64_t> days) {
  const TablePtr before = parts_.catalog.FindByNumber(table);
  const bool is_new = before && !before->recovery;
  // A crash may have left records from an earlier time with recovery.
  if (is_new) RETURN_IF_ERROR(trim_.Clear(table));
  ASSIGN_OR_RETURN(
      TablePtr after, parts_.catalog.Change(table, [&](Table& changed) -> Result<void> {
        const TimeMs now = parts_.clock.Now();
        if (is_new) {
          changed.recovery = {.enabled_ms = EpochMs(now), .days = days.value_or(kDefaultDays)};
        } else if (days) {
          // A longer period does not bring back what has been trimmed.
          PointInTimeRecovery& recovery = *changed.recovery;
          const TimeMs oldest = now - std::chrono::days(recovery.days);
          recovery.enabled_ms = std::max(recovery.enabled_ms, EpochMs(oldest));
          recovery.days = *days;
        }
        return {};
      }));
  if (!is_new) return after;
  // Only after this does every writer keep what it replaces.
  RETURN_IF_ERROR(WaitForWriters(parts_.store));
  parts_.background.WakeDuties();
  return parts_.catalog.Change(table, [this](Table& changed) -> Result<void> {
    if (changed.recovery) changed.recovery->enabled_ms = EpochMs(parts_.clock.Now());
    return {};
  });
}

Result<TablePtr> Recovery::DisableHistory(TableNumber table) {
  ASSIGN_OR_RETURN(TablePtr after, parts_.catalog.Change(table, [](Table& changed) -> Result<void> {
    changed.recovery.reset();
    return {};
  }));
  RETURN_IF_ERROR(WaitForWriters(parts_.store));
  RETURN_IF_ERROR(trim_.Clear(table));
  return after;
}

// Fourteen digits of the time, so that ids ascend, and eight that cannot be guessed; within one
// millisecond these ascend.
std::string Recovery::NewId() {
  const std::scoped_lock lock(id_mutex_);
  const std::int64_t now_ms = EpochMs(parts_.clock.Now());
  if (now_ms == last_id_.first) {
    ++last_id_.second;
  } else {
    const auto random = static_cast<std::uint32_t>(ReadBigEndian(RandomBytes(3)));
    last_id_ = {now_ms, random << 7};
  }
  return fmt::format("{:014}-{:08x}", now_ms, last_id_.second);
}

Result<BackupPtr> Recovery::MakeBackup(const Table& table, std::string name, BackupType type) {
  Backup backup;
  backup.id = NewId();
  backup.name = std::move(name);
  backup.arn = fmt::format("{}/backup/{}", table.arn, backup.id);
  backup.type = type;
  backup.creation_ms = EpochMs(parts_.clock.Now());
  if (type == BackupType::kSystem) {
    backup.expiry_ms = backup.creation_ms + std::chrono::milliseconds(kSystemBackupLife).count();
  }
  backup.items = table.counts->all_items();
  backup.bytes = table.counts->all_bytes();
  backup.table = table;
  const std::vector<KeyRange> items = {IndexRows(table.number, 0)};
  // A table that is about to be dropped does not wait for a copy.
  backup.is_copy = parts_.archive != nullptr && type == BackupType::kUser;
  RETURN_IF_ERROR(FromStorage(
      backup.is_copy ? parts_.store.CopyInto(*parts_.archive, backup.id, EncodeBackup(backup))
                     : parts_.store.MakeCheckpoint(backup.id, items)));
  // Whether the copy has the rows of a table that was dropped meanwhile, nobody knows.
  if (backup.is_copy && !parts_.catalog.FindByNumber(table.number)) {
    RETURN_IF_ERROR(FromStorage(parts_.archive->Delete(backup.id)));
    return std::unexpected(Error::TableNotFound(table.name));
  }
  // On a shared store another process may have dropped the table, and begun to clear its rows.
  bool is_gone = false;
  const std::string id = backup.id;
  Result<BackupPtr> added = backups_->Add(std::move(backup), [&]() -> Result<void> {
    is_gone = parts_.catalog.FindByNumber(table.number) == nullptr;
    if (is_gone) return std::unexpected(Error::TableNotFound(table.name));
    return {};
  });
  if (is_gone || OperationScope::IsStale()) {
    RETURN_IF_ERROR(FromStorage(parts_.store.DeleteCheckpoint(id)));
  }
  // If it failed otherwise it is unknown whether the row is on disk. The next start finds out, and
  // removes the checkpoint if it is not.
  return added;
}

StorageResult<void> Recovery::MakeCheckpoint(const std::string& id, TableNumber table) {
  return parts_.store.MakeCheckpoint(id, PastRows(table));
}

Result<void> Recovery::DeleteBackup(const Backup& backup) {
  if (backup.is_copy) {
    const StorageResult<void> deleted = parts_.archive->Delete(backup.id);
    if (!deleted && deleted.error().kind == StorageError::Kind::kLocked) {
      return std::unexpected(Error::BackupInUse(backup.arn));
    }
    RETURN_IF_ERROR(FromStorage(deleted));
    return backups_->Remove(backup, {});
  }
  const std::string id = backup.id;
  RETURN_IF_ERROR(backups_->Remove(backup, [&]() -> Result<void> {
    if (IsInUse(backup)) return std::unexpected(Error::BackupInUse(backup.arn));
    return {};
  }));
  return FromStorage(parts_.store.DeleteCheckpoint(id));
}

bool Recovery::IsInUse(const Backup& backup) const {
  return std::ranges::any_of(parts_.catalog.Names(), [&](const std::string& name) {
    const TablePtr table = parts_.catalog.Find(name);
    return table && table->restored_from && table->restored_from->checkpoint == backup.id;
  });
}

Result<void> Recovery::BackUpForDeletion(const TablePtr& table) {
  const auto is_of_table = [&](const BackupPtr& backup) {
    return backup->type == BackupType::kSystem && backup->table.id == table->id;
  };
  if (std::ranges::any_of(backups_->All(), is_of_table)) return {};
  const auto set_status = [&](TableStatus status) -> Result<void> {
    RETURN_IF_ERROR(parts_.catalog.Change(table->number, [status](Table& changed) -> Result<void> {
      changed.status = status;
      return {};
    }));
    return {};
  };
  RETURN_IF_ERROR(set_status(TableStatus::kDeleting));
  Result<void> waited = WaitForWriters(parts_.store);
  if (waited) {
    Result<BackupPtr> made =
        MakeBackup(*table, table->name + "$DeletedTableBackup", BackupType::kSystem);
    if (made) return {};
    waited = std::unexpected(std::move(made).error());
  }
  RETURN_IF_ERROR(set_status(TableStatus::kActive));
  return waited;
}

void Recovery::FinishDeletion(TableNumber number) {
  parts_.background.Post([this, number] {
    const TablePtr table = parts_.catalog.FindByNumber(number);
    if (!table) return;
    Result<void> dropped = BackUpForDeletion(table);
    if (dropped) dropped = parts_.catalog.Drop(number);
    if (!dropped) return LogFailure("delete a table", dropped.error());
    parts_.clear(number);
  });
}

Result<TablePtr> Recovery::RestoreBackup(const Backup& backup, Table target) {
  return StartRestore({.backup_arn = backup.arn,
                       .table_arn = backup.table.arn,
                       .time_ms = backup.creation_ms,
                       .checkpoint = backup.id,
                       .table_number = backup.table.number},
                      std::move(target));
}

Result<TablePtr> Recovery::RestorePast(const Table& source, TimeMs at, Table target) {
  const std::string id = NewId();
  RETURN_IF_ERROR(FromStorage(MakeCheckpoint(id, source.number)));
  Result<TablePtr> started = StartRestore({.backup_arn = {},
                                           .table_arn = source.arn,
                                           .time_ms = EpochMs(at),
                                           .checkpoint = id,
                                           .table_number = source.number},
                                          std::move(target));
  if (OperationScope::IsStale()) RETURN_IF_ERROR(FromStorage(parts_.store.DeleteCheckpoint(id)));
  return started;
}

Result<TablePtr> Recovery::StartRestore(RestoreOrigin origin, Table target) {
  target.status = TableStatus::kCreating;
  target.restored_from = std::move(origin);
  ASSIGN_OR_RETURN(TablePtr added, parts_.catalog.Add(std::move(target)));
  Fill(added->number);
  return added;
}

void Recovery::Fill(TableNumber table) {
  auto restore =
      std::make_shared<Restore>(parts_.store, parts_.archive, parts_.catalog, parts_.hasher, table);
  parts_.work.Start(
      fmt::format("restore table {}", table), [restore] { return restore->Step(); },
      [this, table, restore](const Error& error) {
        LogFailure("restore a table, which is given up", error);
        const Result<void> given_up = restore->GiveUp();
        if (given_up) {
          parts_.clear(table);
        } else {
          LogFailure("give up a restore, which is tried again at the next start", given_up.error());
        }
      });
}

std::chrono::milliseconds Recovery::Maintain() {
  const TimeMs now = parts_.clock.Now();
  const Result<bool> more = trim_.Step(now);
  if (!more) LogFailure("trim the histories of tables", more.error());
  const Result<void> deleted = DeleteExpiredBackups(now);
  if (!deleted) LogFailure("delete expired backups", deleted.error());
  if (!more || !deleted) return kRestWithoutWork;
  if (*more) return std::chrono::milliseconds(0);
  const bool can_expire = std::ranges::any_of(
      backups_->All(), [](const BackupPtr& backup) { return backup->expiry_ms.has_value(); });
  return trim_.HasWork() || can_expire ? kRestWithWork
                                       : std::chrono::milliseconds(kRestWithoutWork);
}

Result<void> Recovery::DeleteExpiredBackups(TimeMs now) {
  for (const BackupPtr& backup : backups_->All()) {
    if (!backup->expiry_ms || *backup->expiry_ms > EpochMs(now) || IsInUse(*backup)) continue;
    RETURN_IF_ERROR(DeleteBackup(*backup));
  }
  return {};
}

}  // namespace stator
