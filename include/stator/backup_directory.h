// Backups in a directory of their own, made by a database with DatabaseOptions::backup_directory. They
// can be listed, verified and restored without that database.
//
//   const auto backups = stator::BackupDirectory::Open("/mnt/other-disk/backups");
//   for (const auto& backup : *(*backups)->List()) std::cout << backup.arn << "\n";
//   (*backups)->RestoreInto(arn, "./new-data");
//
// A backup is a copy of the whole database, though it is made for one table: RestoreInto brings back
// all tables, RestoreTableFromBackup of a database with this backup directory the one.
#ifndef STATOR_BACKUP_DIRECTORY_H_
#define STATOR_BACKUP_DIRECTORY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "stator/result.h"

namespace stator {

// Thread-safe. Messages of errors are for the operator: they name files.
class BackupDirectory {
 public:
  // Any number of processes may read a directory while a database makes backups in it.
  static Result<std::unique_ptr<BackupDirectory>> Open(const std::string& directory);
  ~BackupDirectory();
  BackupDirectory(const BackupDirectory&) = delete;
  BackupDirectory& operator=(const BackupDirectory&) = delete;

  struct Entry {
    std::string arn;
    std::string name;
    std::string table;
    std::int64_t creation_ms = 0;
    std::int64_t items = 0;        // of the table
    std::uint64_t copy_bytes = 0;  // of all files of the copy; other backups share most of them
  };
  // In the order of creation. Only whole backups; fails if the description of one is damaged, which
  // `damage` collects instead if it is not null.
  Result<std::vector<Entry>> List(std::vector<std::string>* damage = nullptr) const;

  // Reads every file of a backup and compares it with its checksum. The error names the file.
  Result<void> Verify(std::string_view arn) const;

  // Makes a data directory that holds the database as it was when the backup was made, without the
  // backups that were kept in it. Verifies every byte, and refuses a directory that holds something.
  Result<void> RestoreInto(std::string_view arn, const std::string& directory) const;

  // Deletes a backup, and the files that no other needs. Fails while a database has the directory.
  Result<void> Delete(std::string_view arn);

 private:
  struct Impl;
  explicit BackupDirectory(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace stator

#endif  // STATOR_BACKUP_DIRECTORY_H_
