#include "cli/transfer_command.h"

#include <CLI/CLI.hpp>

#include "stator/clock.h"

namespace stator::cli {
namespace {

constexpr const char* kBackupExamples = R"(
Examples:
  stator backup Music --endpoint http://127.0.0.1:8000
  stator backup Music --data ./stator-data --name before-the-move
  stator backup --list --data ./stator-data
  stator backup --delete arn:aws:dynamodb:…/backup/… --data ./stator-data

A backup lies in the data directory itself and shares its files, so it takes a moment and next to
no space; it outlives its table. To keep data elsewhere, copy a directory that no server has open,
or use stator export.
)";

constexpr const char* kRestoreExamples = R"(
Examples:
  stator restore arn:aws:dynamodb:…/backup/… MusicAgain --endpoint http://127.0.0.1:8000
  stator restore Music MusicYesterday --at 2026-01-30T12:00:00Z --data ./stator-data

A backup's ARN restores that backup. A table's name restores the table as it was at a time; it must
have had point-in-time recovery by then. Both make a new table.
)";

constexpr const char* kExportExamples = R"(
Examples:
  stator export Music s3://exports/music --endpoint http://127.0.0.1:8000
  stator export Music s3://exports/music --data ./stator-data --s3-root ./buckets
  stator export Music s3://exports --format ion --at 2026-01-30T12:00:00Z --data …
  stator export Music s3://exports --since 2026-01-30T00:00:00Z --until 2026-01-31T00:00:00Z …

Buckets are folders of --s3-root: s3://exports/music is DIR/exports/music. A server has its own
(stator serve --s3-root DIR). The files are those that DynamoDB writes: data files with one item a
line, packed with gzip, and manifests. An export reads the table's history, so the table needs
point-in-time recovery: --enable-recovery turns it on.
)";

constexpr const char* kImportExamples = R"(
Examples:
  stator import s3://exports/music/AWSDynamoDB/0176…/data/ Music --key Artist:S --sort-key Song:S \
         --compression gzip --endpoint http://127.0.0.1:8000
  stator import s3://inbox/people.csv People --key name:S --format csv --data ./stator-data \
         --s3-root ./buckets
  stator import s3://inbox/more/ People --into-existing --data …

All objects whose key begins with the prefix are read. A new table is made and can be used once all
items are in it; --into-existing puts them into a table that is there, replacing items of the same
key. The first line of a CSV file names its columns, unless --headers does.
)";

void AddSource(CLI::App& app, DataSource& source, bool has_buckets) {
  auto* endpoint =
      app.add_option("--endpoint", source.endpoint, "A running server: http://HOST[:PORT]")
          ->type_name("URL");
  app.add_option("--data", source.directory, "A data directory that no server has open")
      ->type_name("DIR")
      ->excludes(endpoint);
  app.add_option("--region", source.region, "With --data: that of its server (default: us-east-1)")
      ->type_name("NAME");
  app.add_option("--account", source.account,
                 "With --data: that of its server (default: 000000000000)")
      ->type_name("DIGITS");
  if (!has_buckets) return;
  app.add_option("--s3-root", source.s3_root, "With --data: the folder whose folders are buckets")
      ->type_name("DIR")
      ->excludes(endpoint);
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

}  // namespace

CLI::App* AddBackupCommand(CLI::App& app, BackupCommand& command) {
  CLI::App* backup = app.add_subcommand("backup", "Back a table up");
  backup->footer(kBackupExamples);
  backup->add_option("TABLE", command.table, "Its name");
  AddSource(*backup, command.source, /*has_buckets=*/false);
  backup->add_option("--name", command.name, "Name of the backup (default: the table's)")
      ->type_name("NAME");
  backup->add_flag("--list", command.list, "List the backups, of TABLE or all");
  backup->add_option("--delete", command.delete_arn, "Delete a backup")->type_name("ARN");
  return backup;
}

CLI::App* AddRestoreCommand(CLI::App& app, RestoreCommand& command) {
  CLI::App* restore =
      app.add_subcommand("restore", "Make a new table of a backup, or of a table's past");
  restore->footer(kRestoreExamples);
  restore->add_option("FROM", command.from, "A backup's ARN, or a table's name")->required();
  restore->add_option("TABLE", command.table, "Name of the new table")->required();
  AddSource(*restore, command.source, /*has_buckets=*/false);
  restore->add_option("--at", command.at, "The time to go back to (default: now)")
      ->type_name("TIME");
  return restore;
}

CLI::App* AddExportCommand(CLI::App& app, ExportCommand& command) {
  CLI::App* exported = app.add_subcommand("export", "Write a table to files, as DynamoDB does");
  exported->footer(kExportExamples);
  exported->add_option("TABLE", command.table, "Its name")->required();
  exported->add_option("URL", command.url, "Where to: s3://BUCKET[/PREFIX]")->required();
  AddSource(*exported, command.source, /*has_buckets=*/true);
  exported->add_option("--format", command.format, "DynamoDB's JSON, or Ion (default: json)")
      ->check(CLI::IsMember({"json", "ion"}).description(""))
      ->type_name("json|ion");
  exported->add_option("--at", command.at, "The table as it was then (default: now)")
      ->type_name("TIME");
  exported->add_option("--since", command.since, "Only what changed from then on")
      ->type_name("TIME");
  exported->add_option("--until", command.until, "With --since: up to then (default: now)")
      ->type_name("TIME");
  exported->add_flag("--new-images-only", command.new_images_only,
                     "With --since: leave out what items were before");
  exported->add_flag("--enable-recovery", command.enable_recovery,
                     "Turn point-in-time recovery on first");
  return exported;
}

CLI::App* AddImportCommand(CLI::App& app, ImportCommand& command) {
  CLI::App* imported = app.add_subcommand("import", "Make a table of the items in files");
  imported->footer(kImportExamples);
  imported->add_option("URL", command.url, "Where from: s3://BUCKET[/PREFIX]")->required();
  imported->add_option("TABLE", command.table, "Its name")->required();
  AddSource(*imported, command.source, /*has_buckets=*/true);
  imported->add_option("--key", command.key, "Partition key of the new table")
      ->type_name("NAME:S|N|B");
  imported->add_option("--sort-key", command.sort_key, "Its sort key")->type_name("NAME:S|N|B");
  imported->add_option("--format", command.format, "What the files hold (default: json)")
      ->check(CLI::IsMember({"json", "ion", "csv"}).description(""))
      ->type_name("json|ion|csv");
  imported->add_option("--compression", command.compression, "How they are packed (default: none)")
      ->check(CLI::IsMember({"none", "gzip", "zstd"}).description(""))
      ->type_name("none|gzip|zstd");
  imported->add_option("--delimiter", command.delimiter, "Between the cells of CSV (default: ,)")
      ->type_name("CHARACTER");
  imported->add_option("--headers", command.headers, "Names of the columns of CSV")
      ->delimiter(',')
      ->type_name("NAME,NAME…");
  imported->add_flag("--into-existing", command.into_existing,
                     "Put the items into a table that is there");
  return imported;
}

std::optional<std::string> FindMistake(const BackupCommand& command) {
  if (auto mistake = FindMistake(command.source)) return mistake;
  if (!command.list && command.delete_arn.empty() && command.table.empty()) {
    return "say which table to back up";
  }
  return std::nullopt;
}

std::optional<std::string> FindMistake(const RestoreCommand& command) {
  if (auto mistake = FindMistake(command.source)) return mistake;
  if (!IsTime(command.at)) return "--at takes a time such as 2026-01-30T12:00:00Z";
  if (!command.at.empty() && command.from.starts_with("arn:")) {
    return "a backup is of one moment; --at goes with a table's name";
  }
  return std::nullopt;
}

std::optional<std::string> FindMistake(const ExportCommand& command) {
  if (auto mistake = FindBucketMistake(command.source, command.url)) return mistake;
  for (const std::string& time : {command.at, command.since, command.until}) {
    if (!IsTime(time)) return "'" + time + "' is no time such as 2026-01-30T12:00:00Z";
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
      return "a table that is there has its keys: leave --key and --sort-key out";
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

}  // namespace stator::cli
