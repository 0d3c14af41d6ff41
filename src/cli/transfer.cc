#include "cli/transfer.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "base/log.h"
#include "base/try.h"
#include "cli/answers.h"
#include "cli/command_line.h"
#include "stator/clock.h"

namespace stator::cli {
namespace {

using Done = std::expected<void, CallFailure>;

std::unexpected<CallFailure> Refuse(std::string message) {
  return std::unexpected(CallFailure{{}, std::move(message)});
}

// Opens the source and does the work.
template <class Command, class Work>
int RunWith(const Command& command, Work work) {
  ConfigureLog(LogLevel::kError, LogFormat::kText);
  const auto caller = MakeCaller(command.source);
  if (!caller) {
    std::fprintf(stderr, "stator: %s\n", caller.error().c_str());
    return kExitFailure;
  }
  const Done done = work(**caller, command);
  if (done) return kExitOk;
  const CallFailure& failure = done.error();
  std::fprintf(stderr, "stator: %s%s%s\n", failure.type.c_str(), failure.type.empty() ? "" : ": ",
               failure.message.c_str());
  return kExitFailure;
}

// Seconds since the epoch. REQUIRES: the text is a time.
void WriteTime(JsonWriter& out, std::string_view key, const std::string& text) {
  const auto setting = ClockSetting::Parse("fixed:" + text);
  if (setting) out.Key(key).TimestampMs(setting->fixed.time_since_epoch().count());
}

struct Location {
  std::string bucket;
  std::string prefix;
};

Location ParseUrl(std::string_view url) {
  url.remove_prefix(std::string_view("s3://").size());
  const std::size_t slash = url.find('/');
  if (slash == std::string_view::npos) return {std::string(url), {}};
  return {std::string(url.substr(0, slash)), std::string(url.substr(slash + 1))};
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

// The failure that a job's description tells of.
std::unexpected<CallFailure> JobFailed(const Answer& answer, std::string_view description) {
  return std::unexpected(CallFailure{answer.Text({description, "FailureCode"}),
                                     answer.Text({description, "FailureMessage"})});
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

std::string Uppercase(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

std::string FormatWord(const std::string& format) {
  return format == "json" ? "DYNAMODB_JSON" : Uppercase(format);
}

// The parts of NAME:TYPE.
std::pair<std::string, std::string> ParseKey(const std::string& key) {
  const std::size_t colon = key.rfind(':');
  return {key.substr(0, colon), key.substr(colon + 1)};
}

void WriteTable(JsonWriter& out, const ImportCommand& command) {
  std::vector<std::pair<std::string, std::string>> keys{ParseKey(command.key)};
  if (!command.sort_key.empty()) keys.push_back(ParseKey(command.sort_key));
  out.Key("TableCreationParameters").BeginObject();
  out.Key("TableName").String(command.table);
  out.Key("BillingMode").String("PAY_PER_REQUEST");
  out.Key("AttributeDefinitions").BeginArray();
  for (const auto& [name, type] : keys) {
    out.BeginObject();
    out.Key("AttributeName").String(name);
    out.Key("AttributeType").String(type);
    out.EndObject();
  }
  out.EndArray();
  out.Key("KeySchema").BeginArray();
  for (const auto& key : keys) {
    out.BeginObject();
    out.Key("AttributeName").String(key.first);
    out.Key("KeyType").String(&key == keys.data() ? "HASH" : "RANGE");
    out.EndObject();
  }
  out.EndArray();
  out.EndObject();
}

void WriteCsvOptions(JsonWriter& out, const ImportCommand& command) {
  if (command.delimiter.empty() && command.headers.empty()) return;
  out.Key("InputFormatOptions").BeginObject().Key("Csv").BeginObject();
  if (!command.delimiter.empty()) {
    out.Key("Delimiter").String(command.delimiter == "\\t" ? "\t" : command.delimiter);
  }
  if (!command.headers.empty()) {
    out.Key("HeaderList").BeginArray();
    for (const std::string& header : command.headers) out.String(header);
    out.EndArray();
  }
  out.EndObject().EndObject();
}

Done ImportNew(Caller& caller, const ImportCommand& command) {
  constexpr std::string_view kShown = "ImportTableDescription";
  const Location location = ParseUrl(command.url);
  ASSIGN_OR_RETURN(const Answer started, CallWith(caller, "ImportTable", [&](JsonWriter& out) {
                     out.Key("S3BucketSource").BeginObject();
                     out.Key("S3Bucket").String(location.bucket);
                     if (!location.prefix.empty()) {
                       out.Key("S3KeyPrefix").String(location.prefix);
                     }
                     out.EndObject();
                     out.Key("InputFormat").String(FormatWord(command.format));
                     out.Key("InputCompressionType").String(Uppercase(command.compression));
                     WriteCsvOptions(out, command);
                     WriteTable(out, command);
                   }));
  const auto progress = [&](const Answer& answer) {
    return Progress{
        .done = 0,
        .total = std::nullopt,
        .text = fmt::format("{} items", answer.Integer({kShown, "ProcessedItemCount"}))};
  };
  ASSIGN_OR_RETURN(
      const Answer over,
      WaitFor(caller, {.operation = "DescribeImport",
                       .member = "ImportArn",
                       .value = started.Text({kShown, "ImportArn"}),
                       .not_yet = {"IN_PROGRESS"},
                       .status = [&](const Answer& a) { return a.Text({kShown, "ImportStatus"}); },
                       .progress = progress}));
  if (over.Text({kShown, "ImportStatus"}) != "COMPLETED") return JobFailed(over, kShown);
  fmt::print("{}\t{} items\n", over.Text({kShown, "TableArn"}),
             over.Integer({kShown, "ImportedItemCount"}));
  return {};
}

Done ImportIntoExisting(Caller& caller, const ImportCommand& command) {
  constexpr std::string_view kShown = "BulkOperationDescription";
  const Location location = ParseUrl(command.url);
  ASSIGN_OR_RETURN(const Answer started,
                   CallWith(caller, "StartBulkPutItems", [&](JsonWriter& out) {
                     out.Key("TableName").String(command.table);
                     out.Key("InputS3Configuration").BeginObject();
                     out.Key("S3Bucket").String(location.bucket);
                     if (!location.prefix.empty()) {
                       out.Key("S3KeyPrefix").String(location.prefix);
                     }
                     out.Key("InputFormat").String(FormatWord(command.format));
                     out.Key("InputCompressionType").String(Uppercase(command.compression));
                     out.EndObject();
                   }));
  const auto status = [&](const Answer& a) { return a.Text({kShown, "BulkOperationStatus"}); };
  const auto progress = [&](const Answer& answer) {
    return Progress{
        .done = answer.Integer({kShown, "ProcessedInputBytes"}),
        .total = answer.Integer({kShown, "TotalInputBytes"}),
        .text = fmt::format("{} items", answer.Integer({kShown, "ProcessedItemCount"}))};
  };
  ASSIGN_OR_RETURN(const Answer over,
                   WaitFor(caller, {.operation = "DescribeBulkOperation",
                                    .member = "BulkOperationArn",
                                    .value = started.Text({kShown, "BulkOperationArn"}),
                                    .not_yet = {"IN_PROGRESS", "CANCELLING"},
                                    .status = status,
                                    .progress = progress}));
  const std::int64_t failed = over.Integer({kShown, "FailedItemCount"});
  if (failed != 0) {
    return Refuse(fmt::format("{} of {} items could not be put; the log tells why", failed,
                              over.Integer({kShown, "ProcessedItemCount"})));
  }
  if (status(over) != "COMPLETED") return JobFailed(over, kShown);
  fmt::print("{}\t{} items\n", command.table, over.Integer({kShown, "ProcessedItemCount"}));
  return {};
}

Done Import(Caller& caller, const ImportCommand& command) {
  return command.into_existing ? ImportIntoExisting(caller, command) : ImportNew(caller, command);
}

}  // namespace

int Run(const BackupCommand& command) { return RunWith(command, Backup); }
int Run(const RestoreCommand& command) { return RunWith(command, Restore); }
int Run(const ExportCommand& command) { return RunWith(command, Export); }
int Run(const ImportCommand& command) { return RunWith(command, Import); }

}  // namespace stator::cli
