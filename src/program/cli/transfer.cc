#include "cli/transfer.h"

#include <fmt/format.h>

#include <chrono>

#include "base/try.h"
#include "cli/answers.h"
#include "cli/transfer_work.h"
#include "stator/clock.h"

namespace stator::cli {
namespace {

// Seconds since the epoch. REQUIRES: the text is a time.
void WriteTime(JsonWriter& out, std::string_view key, const std::string& text) {
  const auto setting = ClockSetting::Parse("fixed:" + text);
  if (setting) out.Key(key).TimestampMs(setting->fixed.time_since_epoch().count());
}

CallResult DescribeTable(Caller& caller, const std::string& table) {
  return CallWith(caller, "DescribeTable",
                  [&](JsonWriter& out) { out.Key("TableName").String(table); });
}

Done ListBackups(Caller& caller, const std::string& table) {
  std::string start;
  for (;;) {
    ASSIGN_OR_RETURN(const Answer page, CallWith(caller, "ListBackups", [&](JsonWriter& out) {
                       if (!table.empty()) out.Key("TableName").String(table);
                       if (!start.empty()) out.Key("ExclusiveStartBackupArn").String(start);
                       out.Key("BackupType").String("ALL");
                     }));
    const auto names = page.Texts("BackupSummaries", "BackupName");
    const auto arns = page.Texts("BackupSummaries", "BackupArn");
    for (std::size_t i = 0; i < arns.size() && i < names.size(); ++i) {
      fmt::print("{}\t{}\n", names[i], arns[i]);
    }
    start = page.Text({"LastEvaluatedBackupArn"});
    if (start.empty()) return {};
  }
}

Done Backup(Caller& caller, const BackupCommand& command) {
  if (command.list) return ListBackups(caller, command.table);
  if (!command.delete_arn.empty()) {
    RETURN_IF_ERROR(CallWith(caller, "DeleteBackup", [&](JsonWriter& out) {
      out.Key("BackupArn").String(command.delete_arn);
    }));
    return {};
  }
  ASSIGN_OR_RETURN(
      const Answer made, CallWith(caller, "CreateBackup", [&](JsonWriter& out) {
        out.Key("TableName").String(command.table);
        out.Key("BackupName").String(command.name.empty() ? command.table : command.name);
      }));
  fmt::print("{}\n", made.Text({"BackupDetails", "BackupArn"}));
  return {};
}

Progress RestoreProgress(const Answer& answer) {
  const std::int64_t items = answer.Integer({"Table", "ItemCount"});
  return {.done = items, .total = std::nullopt, .text = fmt::format("{} items", items)};
}

Done Restore(Caller& caller, const RestoreCommand& command) {
  const bool is_backup = command.from.starts_with("arn:");
  const auto write = [&](JsonWriter& out) {
    out.Key("TargetTableName").String(command.table);
    out.Key(is_backup ? "BackupArn" : "SourceTableName").String(command.from);
    if (is_backup) return;
    if (command.at.empty()) {
      out.Key("UseLatestRestorableTime").Bool(true);
    } else {
      WriteTime(out, "RestoreDateTime", command.at);
    }
  };
  RETURN_IF_ERROR(
      CallWith(caller, is_backup ? "RestoreTableFromBackup" : "RestoreTableToPointInTime", write));
  ASSIGN_OR_RETURN(
      const Answer over,
      WaitFor(caller, {.operation = "DescribeTable",
                       .member = "TableName",
                       .value = command.table,
                       .not_yet = {"CREATING"},
                       .status = [](const Answer& a) { return a.Text({"Table", "TableStatus"}); },
                       .progress = RestoreProgress}));
  fmt::print("{}\t{} items\n", over.Text({"Table", "TableArn"}),
             over.Integer({"Table", "ItemCount"}));
  return {};
}

Done EnableRecovery(Caller& caller, const std::string& table) {
  RETURN_IF_ERROR(CallWith(caller, "UpdateContinuousBackups", [&](JsonWriter& out) {
    out.Key("TableName").String(table);
    out.Key("PointInTimeRecoverySpecification").BeginObject();
    out.Key("PointInTimeRecoveryEnabled").Bool(true);
    out.EndObject();
  }));
  return {};
}

void WriteExport(JsonWriter& out, const ExportCommand& command, const std::string& arn) {
  const Location location = ParseUrl(command.url);
  out.Key("TableArn").String(arn);
  out.Key("S3Bucket").String(location.bucket);
  if (!location.prefix.empty()) out.Key("S3Prefix").String(location.prefix);
  out.Key("ExportFormat").String(command.format == "ion" ? "ION" : "DYNAMODB_JSON");
  if (!command.at.empty()) WriteTime(out, "ExportTime", command.at);
  if (command.since.empty()) return;
  out.Key("ExportType").String("INCREMENTAL_EXPORT");
  out.Key("IncrementalExportSpecification").BeginObject();
  WriteTime(out, "ExportFromTime", command.since);
  if (!command.until.empty()) WriteTime(out, "ExportToTime", command.until);
  out.Key("ExportViewType").String(command.new_images_only ? "NEW_IMAGE" : "NEW_AND_OLD_IMAGES");
  out.EndObject();
}

Done Export(Caller& caller, const ExportCommand& command) {
  constexpr std::string_view kShown = "ExportDescription";
  ASSIGN_OR_RETURN(const Answer table, DescribeTable(caller, command.table));
  if (command.enable_recovery) RETURN_IF_ERROR(EnableRecovery(caller, command.table));
  CallResult started = CallWith(caller, "ExportTableToPointInTime", [&](JsonWriter& out) {
    WriteExport(out, command, table.Text({"Table", "TableArn"}));
  });
  if (!started) {
    CallFailure failure = std::move(started).error();
    if (failure.type == "PointInTimeRecoveryUnavailableException") {
      failure.message += " (--enable-recovery turns it on)";
    }
    return std::unexpected(std::move(failure));
  }
  // How many items an incremental export has shows only at its end.
  std::optional<std::int64_t> total;
  if (command.since.empty()) total = table.Integer({"Table", "ItemCount"});
  const auto progress = [&](const Answer& answer) {
    const std::int64_t items = answer.Integer({kShown, "ItemCount"});
    return Progress{.done = items, .total = total, .text = fmt::format("{} items", items)};
  };
  ASSIGN_OR_RETURN(
      const Answer over,
      WaitFor(caller, {.operation = "DescribeExport",
                       .member = "ExportArn",
                       .value = started->Text({kShown, "ExportArn"}),
                       .not_yet = {"IN_PROGRESS"},
                       .status = [&](const Answer& a) { return a.Text({kShown, "ExportStatus"}); },
                       .progress = progress}));
  if (over.Text({kShown, "ExportStatus"}) != "COMPLETED") return JobFailed(over, kShown);
  fmt::print("s3://{}/{}\t{} items\n", over.Text({kShown, "S3Bucket"}),
             over.Text({kShown, "ExportManifest"}), over.Integer({kShown, "ItemCount"}));
  return {};
}

}  // namespace

int Run(const BackupCommand& command) {
  return RunOn(command.source, [&](Caller& caller) { return Backup(caller, command); });
}
int Run(const RestoreCommand& command) {
  return RunOn(command.source, [&](Caller& caller) { return Restore(caller, command); });
}
int Run(const ExportCommand& command) {
  return RunOn(command.source, [&](Caller& caller) { return Export(caller, command); });
}

}  // namespace stator::cli
