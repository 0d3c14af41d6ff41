#include "database/copy/copied_catalog.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/try.h"
#include "database/copy/copied_rows.h"
#include "engine/catalog/row_key.h"
#include "engine/check/stored_catalog.h"
#include "engine/history/backup.h"
#include "engine/history/history.h"
#include "engine/jobs/export_job.h"
#include "engine/store_access.h"
#include "value/key_codec.h"

namespace stator {
namespace {

std::unexpected<StorageError> RefuseSource(std::string message) {
  return std::unexpected(StorageError{StorageError::Kind::kForeign, std::move(message)});
}

}  // namespace

StorageResult<std::string> IdentityOf(const Checkpoint& rows, std::string_view name) {
  std::string secret;
  ASSIGN_OR_RETURN(const bool is_there, rows.Get(kSecretRow, secret));
  if (!is_there) return RefuseSource(fmt::format("{} holds no database", name));
  const Hash128 hash = HashBytes(secret);
  return HexText({hash.data(), hash.size()});
}

StorageResult<void> CheckCanBeCopied(const Checkpoint& rows, std::string_view name) {
  std::string value;
  ASSIGN_OR_RETURN(const bool is_copy, rows.Get(kCopyRow, value));
  if (is_copy) {
    return RefuseSource(
        fmt::format("{} is itself an unfinished copy; finish that one first", name));
  }
  std::optional<std::string> reason;
  RETURN_IF_ERROR(rows.Scan(
      RowsWithPrefix(kTableRows), Direction::kForward, [&](std::string_view, std::string_view row) {
        const std::optional<Table> table = row.empty() ? std::nullopt : DecodeTable(row);
        if (table && table->restored_from && !table->restored_from->checkpoint.empty()) {
          reason = fmt::format("table {} is being restored", table->name);
        }
        return !reason;
      }));
  RETURN_IF_ERROR(rows.Scan(RowsWithPrefix(CatalogRow(ExportJob::kRowPrefix)), Direction::kForward,
                            [&](std::string_view, std::string_view row) {
                              const std::optional<ExportJob> job = ExportJob::Decode(row);
                              if (job && !job->is_over()) {
                                reason = fmt::format("export {} is in progress", job->id);
                              }
                              return !reason;
                            }));
  if (!reason) return {};
  return RefuseSource(fmt::format(
      "in {}, {}, from rows that are not copied; let a server on it finish this, and copy again",
      name, *reason));
}

StorageResult<std::vector<CopiedBackup>> BackupsIn(const Checkpoint& rows) {
  std::vector<CopiedBackup> backups;
  bool is_damaged = false;
  RETURN_IF_ERROR(rows.Scan(RowsWithPrefix(std::string(kBackupRows)), Direction::kForward,
                            [&](std::string_view, std::string_view row) {
                              const std::optional<Backup> backup = DecodeBackup(row);
                              is_damaged = !backup;
                              if (backup) {
                                backups.push_back({backup->id, backup->name, backup->table.number});
                              }
                              return !is_damaged;
                            }));
  if (is_damaged) {
    return std::unexpected(
        StorageError{StorageError::Kind::kCorrupt, "the row of a backup is damaged"});
  }
  return backups;
}

std::vector<KeyRange> RangesOf(const CopiedBackup& backup) {
  return {IndexRows(backup.table, 0), HistoryRows(backup.table)};
}

StorageResult<ComparedSpace> CompareBackup(const CopiedBackup& backup, const Checkpoint& source,
                                           const Checkpoint& target,
                                           std::vector<std::string>& differences) {
  ComparedSpace compared{.name = fmt::format("backup {} {}", backup.id, backup.name)};
  for (KeyRange& range : RangesOf(backup)) {
    Comparison comparison(std::move(range));
    bool more = true;
    while (more) {
      ASSIGN_OR_RETURN(more, comparison.Step(source, target));
    }
    for (const std::string& difference : comparison.differences()) {
      differences.push_back(fmt::format("{}: {}", compared.name, difference));
    }
    const auto add = [](ComparedSpace::Side& sum, const ComparedSpace::Side& side) {
      sum.rows += side.rows;
      sum.bytes += side.bytes;
      if (!sum.checksum.empty() && !side.checksum.empty()) sum.checksum += '+';
      sum.checksum += side.checksum;
    };
    for (const ComparedSpace& space : comparison.Spaces()) {
      add(compared.source, space.source);
      add(compared.target, space.target);
    }
  }
  return compared;
}

}  // namespace stator
