#include "stator/backup_directory.h"

#include <optional>
#include <utility>

#include "base/try.h"
#include "engine/history/backup.h"
#include "engine/store_access.h"
#include "storage/backup_archive.h"
#include "storage/store.h"

namespace stator {
namespace {

// The id is what follows the last slash; backups are told apart by it alone.
std::string_view IdOfArn(std::string_view arn) { return arn.substr(arn.rfind('/') + 1); }

Result<void> Checked(const StorageResult<void>& result) {
  if (!result) return std::unexpected(ForOperator(result.error()));
  return {};
}

}  // namespace

struct BackupDirectory::Impl {
  std::string path;
  std::unique_ptr<BackupArchive> archive;
};

BackupDirectory::BackupDirectory(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
BackupDirectory::~BackupDirectory() = default;

Result<std::unique_ptr<BackupDirectory>> BackupDirectory::Open(const std::string& directory) {
  ASSIGN_OR_RETURN(auto archive,
                   ForOperator(BackupArchive::Open(directory, BackupArchive::Access::kRead)));
  return std::unique_ptr<BackupDirectory>(
      new BackupDirectory(std::make_unique<Impl>(Impl{directory, std::move(archive)})));
}

Result<std::vector<BackupDirectory::Entry>> BackupDirectory::List(
    std::vector<std::string>* damage) const {
  ASSIGN_OR_RETURN(BackupArchive::Contents contents, ForOperator(impl_->archive->List()));
  std::vector<Entry> entries;
  for (const BackupArchive::Copy& copy : contents.copies) {
    const std::optional<Backup> backup = DecodeBackup(copy.description);
    if (!backup) {
      contents.damaged.push_back("the backup " + copy.id + " in " + impl_->path +
                                 " is of no kind that this program knows");
      continue;
    }
    entries.push_back({.arn = backup->arn,
                       .name = backup->name,
                       .table = backup->table.name,
                       .creation_ms = backup->creation_ms,
                       .items = backup->items,
                       .copy_bytes = copy.bytes});
  }
  if (damage != nullptr) {
    *damage = std::move(contents.damaged);
  } else if (!contents.damaged.empty()) {
    return std::unexpected(Error::InternalServerError(contents.damaged.front()));
  }
  return entries;
}

Result<void> BackupDirectory::Verify(std::string_view arn) const {
  return Checked(impl_->archive->Verify(IdOfArn(arn)));
}

Result<void> BackupDirectory::RestoreInto(std::string_view arn,
                                          const std::string& directory) const {
  RETURN_IF_ERROR(Checked(impl_->archive->RestoreInto(IdOfArn(arn), directory)));
  ASSIGN_OR_RETURN(const auto store, ForOperator(OpenRocksStore({.directory = directory})));
  return Checked(ForgetBackupRows(*store));
}

Result<void> BackupDirectory::Delete(std::string_view arn) {
  ASSIGN_OR_RETURN(const auto archive,
                   ForOperator(BackupArchive::Open(impl_->path, BackupArchive::Access::kWrite)));
  std::vector<std::string> damage;  // of others
  ASSIGN_OR_RETURN(const std::vector<Entry> entries, List(&damage));
  for (const Entry& entry : entries) {
    if (entry.arn == arn) return Checked(archive->Delete(IdOfArn(arn)));
  }
  return std::unexpected(Error::BackupNotFound(std::string(arn)));
}

}  // namespace stator
