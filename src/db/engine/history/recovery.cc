#include "engine/history/recovery.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/big_endian.h"
#include "base/log.h"
#include "base/random.h"
#include "base/try.h"
#include "engine/history/restore.h"
#include "engine/store_access.h"

namespace stator {
namespace {

constexpr std::int64_t kDefaultDays = 35;
constexpr std::chrono::days kSystemBackupLife{35};
// Short, because what it waits for is measured on the database's clock, which may be turned.
constexpr std::chrono::milliseconds kRestWithWork{1'000};
constexpr std::chrono::hours kRestWithoutWork{1};

void LogFailure(std::string_view work, const Error& error) {
  Log(LogLevel::kError, "background work failed", {{"work", work}, {"error", error.message()}});
}

}  // namespace

Recovery::Recovery(Parts parts) : parts_(std::move(parts)), trim_(parts_.store, parts_.catalog) {}

Result<std::unique_ptr<Recovery>> Recovery::Open(Parts parts) {
  std::unique_ptr<Recovery> recovery(new Recovery(std::move(parts)));
  ASSIGN_OR_RETURN(recovery->backups_,
                   ForOperator(Backups::Load(recovery->parts_.store, recovery->parts_.archive)));
  RETURN_IF_ERROR(recovery->RemoveUnusedCheckpoints());
  return recovery;
}

Result<void> Recovery::RemoveUnusedCheckpoints() {
  ASSIGN_OR_RETURN(const std::vector<std::string> ids, ForOperator(parts_.store.ListCheckpoints()));
  if (ids.empty()) return {};
  std::set<std::string> used(parts_.used_checkpoints.begin(), parts_.used_checkpoints.end());
  for (const BackupPtr& backup : backups_->All()) used.insert(backup->id);
  for (const std::string& name : parts_.catalog.Names()) {
    const TablePtr table = parts_.catalog.Find(name);
    if (table->restored_from) used.insert(table->restored_from->checkpoint);
  }
  for (const std::string& id : ids) {
    if (!used.contains(id)) RETURN_IF_ERROR(FromStorage(parts_.store.DeleteCheckpoint(id)));
  }
  return {};
}

void Recovery::Start() {
  for (const std::string& name : parts_.catalog.Names()) {
    const TablePtr table = parts_.catalog.Find(name);
    if (table->status == TableStatus::kCreating && table->restored_from) Fill(table->number);
    if (table->status == TableStatus::kDeleting) FinishDeletion(table->number);
  }
  parts_.background.AddDuty([this] { return Maintain(); });
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
    changed.recovery->enabled_ms = EpochMs(parts_.clock.Now());
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
  backup.items = table.counts->items;
  backup.bytes = table.counts->bytes;
  backup.table = table;
  // A table that is about to be dropped does not wait for a copy.
  backup.is_copy = parts_.archive != nullptr && type == BackupType::kUser;
  RETURN_IF_ERROR(FromStorage(
      backup.is_copy ? parts_.store.CopyInto(*parts_.archive, backup.id, EncodeBackup(backup))
                     : parts_.store.MakeCheckpoint(backup.id)));
  // Whether the copy has the rows of a table that was dropped meanwhile, nobody knows.
  if (backup.is_copy && !parts_.catalog.FindByNumber(table.number)) {
    RETURN_IF_ERROR(FromStorage(parts_.archive->Delete(backup.id)));
    return std::unexpected(Error::TableNotFound(table.name));
  }
  // If this fails it is unknown whether the row is on disk. The next start finds out, and removes the
  // checkpoint if it is not.
  return backups_->Add(std::move(backup));
}

Result<void> Recovery::DeleteBackup(const Backup& backup) {
  if (backup.is_copy) {
    const StorageResult<void> deleted = parts_.archive->Delete(backup.id);
    if (!deleted && deleted.error().kind == StorageError::Kind::kLocked) {
      return std::unexpected(Error::BackupInUse(backup.arn));
    }
    RETURN_IF_ERROR(FromStorage(deleted));
    return backups_->Remove(backup);
  }
  const std::string id = backup.id;
  RETURN_IF_ERROR(backups_->Remove(backup));
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
  RETURN_IF_ERROR(FromStorage(parts_.store.MakeCheckpoint(id)));
  return StartRestore({.backup_arn = {},
                       .table_arn = source.arn,
                       .time_ms = EpochMs(at),
                       .checkpoint = id,
                       .table_number = source.number},
                      std::move(target));
}

Result<TablePtr> Recovery::StartRestore(RestoreOrigin origin, Table target) {
  target.status = TableStatus::kCreating;
  target.restored_from = std::move(origin);
  ASSIGN_OR_RETURN(TablePtr added, parts_.catalog.Add(std::move(target)));
  Fill(added->number);
  return added;
}

void Recovery::Fill(TableNumber table) {
  parts_.background.PostLongWork(
      [this, table,
       restore = std::make_unique<Restore>(parts_.store, parts_.archive, parts_.catalog,
                                           parts_.hasher, table)] {
        const Result<bool> more = restore->Step();
        if (more) return *more;
        LogFailure("restore a table, which is given up", more.error());
        const Result<void> given_up = restore->GiveUp();
        if (given_up) {
          parts_.clear(table);
        } else {
          LogFailure("give up a restore, which is tried again at the next start", given_up.error());
        }
        return false;
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
