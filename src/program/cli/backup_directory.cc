// stator backup --list, --verify and --delete, and stator restore --all: on a backup directory alone.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/log.h"
#include "cli/commands.h"
#include "stator/backup_directory.h"

namespace stator::cli {
namespace {

using Entry = BackupDirectory::Entry;

int FailOnBackups(const Error& error) {
  std::fprintf(stderr, "stator: %s\n", error.message().c_str());
  return kExitFailure;
}

int ListEntries(const BackupDirectory& backups, const std::string& table) {
  std::vector<std::string> damage;
  const auto entries = backups.List(&damage);
  if (!entries) return FailOnBackups(entries.error());
  for (const Entry& entry : *entries) {
    if (table.empty() || entry.table == table) fmt::print("{}\t{}\n", entry.name, entry.arn);
  }
  for (const std::string& problem : damage) std::fprintf(stderr, "stator: %s\n", problem.c_str());
  return damage.empty() ? kExitOk : kExitFailure;
}

int VerifyEntries(const BackupDirectory& backups, const std::string& table) {
  std::vector<std::string> damage;
  const auto entries = backups.List(&damage);
  if (!entries) return FailOnBackups(entries.error());
  int exit_code = kExitOk;
  for (const std::string& problem : damage) {
    exit_code = kExitFailure;
    fmt::print("damaged\t{}\n", problem);
  }
  for (const Entry& entry : *entries) {
    if (!table.empty() && entry.table != table) continue;
    const Result<void> verified = backups.Verify(entry.arn);
    if (verified) {
      fmt::print("sound\t{}\n", entry.arn);
    } else {
      exit_code = kExitFailure;
      fmt::print("damaged\t{}\t{}\n", entry.arn, verified.error().message());
    }
    std::fflush(stdout);
  }
  return exit_code;
}

}  // namespace

int RunOnBackupDirectory(const BackupCommand& command) {
  ConfigureLog(LogLevel::kError, LogFormat::kText);
  const auto backups = BackupDirectory::Open(command.source.backup_dir);
  if (!backups) return FailOnBackups(backups.error());
  if (command.list) return ListEntries(**backups, command.table);
  if (command.verify) return VerifyEntries(**backups, command.table);
  const Result<void> deleted = (*backups)->Delete(command.delete_arn);
  return deleted ? kExitOk : FailOnBackups(deleted.error());
}

int RestoreAll(const RestoreCommand& command) {
  ConfigureLog(LogLevel::kError, LogFormat::kText);
  const auto backups = BackupDirectory::Open(command.source.backup_dir);
  if (!backups) return FailOnBackups(backups.error());
  std::string arn = command.from;
  if (arn == "latest") {
    std::vector<std::string> damage;
    const auto entries = (*backups)->List(&damage);
    if (!entries) return FailOnBackups(entries.error());
    if (entries->empty()) {
      return FailOnBackups(Error::Validation(command.source.backup_dir + " holds no backup"));
    }
    arn = entries->back().arn;
  }
  const Result<void> restored = (*backups)->RestoreInto(arn, command.source.directory);
  if (!restored) return FailOnBackups(restored.error());
  fmt::print("{}\n", arn);
  return kExitOk;
}

}  // namespace stator::cli
