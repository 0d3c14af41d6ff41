// The options of `stator backup`, `restore`, `export` and `import`.
#include <memory>
#include <optional>
#include <string>

#include "cli/commands.h"
#include "cli/syntax.h"
#include "stator/clock.h"

namespace stator::cli {
namespace {

constexpr const char* kBackupExamples = R"(
Examples:
  stator backup Music --endpoint http://127.0.0.1:8000
  stator backup Music --data ./stator-data --name before-the-move
  stator backup --all --data ./stator-data --backup-dir /mnt/other/backups
  stator backup --list --backup-dir /mnt/other/backups
  stator backup --verify --backup-dir /mnt/other/backups
  stator backup --delete arn:aws:dynamodb:…/backup/… --data ./stator-data

Without a backup directory a backup is kept in the data directory itself and shares its files: it
takes a moment and hardly any space, and outlives its table, but not the disk.

With one, it is a copy of the whole database, with checksums, that needs neither the data directory
nor a server. Only files that no earlier backup holds are copied. A server has its own backup
directory (stator serve --backup-dir DIR). --list, --verify and --delete work on the directory
alone; --verify reads every file, prints a line for each backup and exits with 1 if one is damaged.
)";

constexpr const char* kRestoreExamples = R"(
Examples:
  stator restore arn:aws:dynamodb:…/backup/… MusicAgain --endpoint http://127.0.0.1:8000
  stator restore Music MusicYesterday --at 2026-01-30T12:00:00Z --data ./stator-data
  stator restore latest --all --backup-dir /mnt/other/backups --data ./new-data

A backup's ARN restores that backup. A table's name restores the table as it was at a time; it must
have had point-in-time recovery by then. Both create a new table.

--all restores every table from a backup directory, as the whole database was when the backup was
made (latest: the newest), into a new data directory. Every file is verified first.
)";

constexpr const char* kExportExamples = R"(
Examples:
  stator export Music s3://exports/music --endpoint http://127.0.0.1:8000
  stator export Music s3://exports/music --data ./stator-data --s3-root ./buckets
  stator export Music s3://exports --format ion --at 2026-01-30T12:00:00Z --data …
  stator export Music s3://exports --since 2026-01-30T00:00:00Z --until 2026-01-31T00:00:00Z …

Buckets are folders of --s3-root: s3://exports/music is DIR/exports/music. A server has its own
(stator serve --s3-root DIR). The files are those that DynamoDB writes: data files with one item per
line, compressed with gzip, and manifests. An export reads the table's history, so the table needs
point-in-time recovery: --enable-recovery turns it on.
)";

constexpr const char* kImportExamples = R"(
Examples:
  stator import s3://exports/music/AWSDynamoDB/0176…/data/ Music --key Artist:S --sort-key Song:S \
         --compression gzip --endpoint http://127.0.0.1:8000
  stator import s3://inbox/people.csv People --key name:S --format csv --data ./stator-data \
         --s3-root ./buckets
  stator import s3://inbox/more/ People --into-existing --data …

All objects whose key begins with the prefix are read. A new table is created and can be used once all
items are in it; --into-existing puts them into an existing table, replacing items with the same
key. The first line of a CSV file names its columns, unless --headers does.
)";

void AddBackupDirectory(Subcommand& command, DataSource& source, const std::string& description) {
  command.Add("--backup-dir", source.backup_dir, description).Type("DIR");
}

void AddSource(Subcommand& command, DataSource& source, bool has_buckets) {
  Option endpoint =
      command.Add("--endpoint", source.endpoint, "A running server: http://HOST[:PORT]")
          .Type("URL");
  command.Add("--data", source.directory, "A data directory that no server has open")
      .Type("DIR")
      .Excludes(endpoint);
  command
      .Add("--region", source.region, "With --data: the region of its server (default: us-east-1)")
      .Type("NAME");
  command
      .Add("--account", source.account,
           "With --data: the account of its server (default: 000000000000)")
      .Type("DIGITS");
  if (!has_buckets) return;
  command.Add("--s3-root", source.s3_root, "With --data: the folder whose folders are the buckets")
      .Type("DIR")
      .Excludes(endpoint);
}

std::optional<std::string> FindMistake(const DataSource& source) {
  if (source.endpoint.empty() == source.directory.empty()) {
    return "say where the tables are: --endpoint URL for a running server, or --data DIR";
  }
  return std::nullopt;
}

std::optional<std::string> FindBucketMistake(const DataSource& source, const std::string& url) {
  if (auto mistake = FindMistake(source)) return mistake;
  if (!source.directory.empty() && source.s3_root.empty()) {
    return "say where the buckets are: --s3-root DIR";
  }
  if (!url.starts_with("s3://")) return "'" + url + "' must be of the form s3://BUCKET/PREFIX";
  return std::nullopt;
}

bool IsTime(const std::string& text) {
  return text.empty() || ClockSetting::Parse("fixed:" + text).has_value();
}

bool IsKey(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return false;
  const std::string type = text.substr(colon + 1);
  return type == "S" || type == "N" || type == "B";
}

bool IsDirectoryAlone(const DataSource& source) {
  return !source.backup_dir.empty() && source.endpoint.empty() && source.directory.empty();
}

std::optional<std::string> FindMistake(const BackupCommand& command) {
  if (!command.source.endpoint.empty() && !command.source.backup_dir.empty()) {
    return "a server has its own backup directory: leave out --backup-dir";
  }
  if (command.verify) {
    if (IsDirectoryAlone(command.source)) return std::nullopt;
    return "--verify takes a backup directory: --backup-dir DIR";
  }
  const bool makes = !command.list && command.delete_arn.empty();
  if (!makes && IsDirectoryAlone(command.source)) return std::nullopt;
  if (auto mistake = FindMistake(command.source)) return mistake;
  if (makes && command.table.empty() != command.all) {
    return command.all ? "--all backs up every table: leave out the name"
                       : "say which table to back up, or --all";
  }
  return std::nullopt;
}

std::optional<std::string> FindMistake(const RestoreCommand& command) {
  if (!command.source.endpoint.empty() && !command.source.backup_dir.empty()) {
    return "a server has its own backup directory: leave out --backup-dir";
  }
  if (command.all) {
    if (command.source.backup_dir.empty() || command.source.directory.empty()) {
      return "--all needs --backup-dir DIR, and --data DIR for the new data directory";
    }
    if (!command.table.empty() || !command.at.empty()) {
      return "--all restores every table as it was in the backup: leave out the name and --at";
    }
    return std::nullopt;
  }
  if (auto mistake = FindMistake(command.source)) return mistake;
  if (command.table.empty()) return "say what the new table is called";
  if (!IsTime(command.at)) return "--at takes a time such as 2026-01-30T12:00:00Z";
  if (!command.at.empty() && command.from.starts_with("arn:")) {
    return "a backup is of one moment; --at goes with a table's name";
  }
  return std::nullopt;
}

std::optional<std::string> FindMistake(const ExportCommand& command) {
  if (auto mistake = FindBucketMistake(command.source, command.url)) return mistake;
  for (const std::string& time : {command.at, command.since, command.until}) {
    if (!IsTime(time)) return "'" + time + "' is not a time such as 2026-01-30T12:00:00Z";
  }
  const bool is_incremental = !command.since.empty();
  if (is_incremental && !command.at.empty()) return "--at and --since exclude each other";
  if (!is_incremental && (!command.until.empty() || command.new_images_only)) {
    return "--until and --new-images-only go with --since";
  }
  return std::nullopt;
}

std::optional<std::string> FindMistake(const ImportCommand& command) {
  if (auto mistake = FindBucketMistake(command.source, command.url)) return mistake;
  if (command.format != "csv" && (!command.delimiter.empty() || !command.headers.empty())) {
    return "--delimiter and --headers go with --format csv";
  }
  if (command.into_existing) {
    if (!command.key.empty() || !command.sort_key.empty()) {
      return "an existing table has its keys: leave out --key and --sort-key";
    }
    if (command.format == "csv") return "--into-existing takes json and ion";
    return std::nullopt;
  }
  if (!IsKey(command.key)) return "a new table needs its key: --key NAME:S (or :N, or :B)";
  if (!command.sort_key.empty() && !IsKey(command.sort_key)) {
    return "--sort-key takes NAME:S (or :N, or :B)";
  }
  return std::nullopt;
}

// The command, or what is wrong with it.
template <class T>
Command Checked(const T& command) {
  if (std::optional<std::string> mistake = FindMistake(command)) {
    return UsageError(*std::move(mistake));
  }
  return command;
}

void AddBackupCommand(Syntax& syntax) {
  const auto options = std::make_shared<BackupCommand>();
  BackupCommand& command = *options;
  Subcommand backup = syntax.Add("backup", "Back a table up", kBackupExamples);
  backup.Add("TABLE", command.table, "Name of the table");
  AddSource(backup, command.source, /*has_buckets=*/false);
  backup.Add("--name", command.name, "Name of the backup (default: the table's)").Type("NAME");
  AddBackupDirectory(backup, command.source,
                     "With --data: where the backup is kept. Alone: the backups that are listed, "
                     "verified or deleted");
  backup.Flag("--all", command.all, "Back up every table");
  backup.Flag("--list", command.list, "List the backups, of TABLE or all");
  backup.Flag("--verify", command.verify, "Verify the backups, of TABLE or all");
  backup.Add("--delete", command.delete_arn, "Delete a backup").Type("ARN");
  backup.Gives([options] { return Checked(*options); });
}

void AddRestoreCommand(Syntax& syntax) {
  const auto options = std::make_shared<RestoreCommand>();
  RestoreCommand& command = *options;
  Subcommand restore = syntax.Add(
      "restore", "Create a new table from a backup, or from a table's past", kRestoreExamples);
  restore.Add("FROM", command.from, "A backup's ARN, or a table's name").Required();
  restore.Add("TABLE", command.table, "Name of the new table");
  AddSource(restore, command.source, /*has_buckets=*/false);
  AddBackupDirectory(restore, command.source, "With --data: where its backups are kept");
  restore.Flag("--all", command.all, "Restore every table, into a new data directory");
  restore.Add("--at", command.at, "The time to go back to (default: now)").Type("TIME");
  restore.Gives([options] { return Checked(*options); });
}

void AddExportCommand(Syntax& syntax) {
  const auto options = std::make_shared<ExportCommand>();
  ExportCommand& command = *options;
  Subcommand exported =
      syntax.Add("export", "Write a table to files, as DynamoDB does", kExportExamples);
  exported.Add("TABLE", command.table, "Name of the table").Required();
  exported.Add("URL", command.url, "Where to: s3://BUCKET[/PREFIX]").Required();
  AddSource(exported, command.source, /*has_buckets=*/true);
  exported.AddChoice("--format", command.format, {"json", "ion"},
                     "DynamoDB's JSON, or Ion (default: json)");
  exported.Add("--at", command.at, "The table as it was then (default: now)").Type("TIME");
  exported.Add("--since", command.since, "Only what changed from then on").Type("TIME");
  exported.Add("--until", command.until, "With --since: up to then (default: now)").Type("TIME");
  exported.Flag("--new-images-only", command.new_images_only,
                "With --since: leave out the old images of items");
  exported.Flag("--enable-recovery", command.enable_recovery,
                "Turn point-in-time recovery on first");
  exported.Gives([options] { return Checked(*options); });
}

void AddImportCommand(Syntax& syntax) {
  const auto options = std::make_shared<ImportCommand>();
  ImportCommand& command = *options;
  Subcommand imported =
      syntax.Add("import", "Create a table from the items in files", kImportExamples);
  imported.Add("URL", command.url, "Where from: s3://BUCKET[/PREFIX]").Required();
  imported.Add("TABLE", command.table, "Name of the table").Required();
  AddSource(imported, command.source, /*has_buckets=*/true);
  imported.Add("--key", command.key, "Partition key of the new table").Type("NAME:S|N|B");
  imported.Add("--sort-key", command.sort_key, "Sort key of the new table").Type("NAME:S|N|B");
  imported.AddChoice("--format", command.format, {"json", "ion", "csv"},
                     "What the files hold (default: json)");
  imported.AddChoice("--compression", command.compression, {"none", "gzip", "zstd"},
                     "How the files are compressed (default: none)");
  imported.Add("--delimiter", command.delimiter, "Separator of CSV cells (default: ,)")
      .Type("CHARACTER");
  imported.Add("--headers", command.headers, "Names of the CSV columns")
      .SeparatedBy(',')
      .Type("NAME,NAME…");
  imported.Flag("--into-existing", command.into_existing, "Put the items into a table that exists");
  imported.Gives([options] { return Checked(*options); });
}

}  // namespace

void AddTransferCommands(Syntax& syntax) {
  AddBackupCommand(syntax);
  AddRestoreCommand(syntax);
  AddExportCommand(syntax);
  AddImportCommand(syntax);
}

}  // namespace stator::cli
