// stator backup, restore, export, import: a few calls each, and waiting until the work is done.
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/try.h"
#include "cli/commands.h"
#include "cli/operations.h"
#include "stator/clock.h"

namespace stator::cli {
namespace {

using Done = std::expected<void, CallFailure>;

// Opens the source, does the work and tells what went wrong. Returns the exit code.
int RunOn(const DataSource& source, const std::function<Done(Endpoint&)>& work) {
  ConfigureLog(LogLevel::kError, LogFormat::kText);
  const auto endpoint = OpenSource(source);
  if (!endpoint) {
    std::fprintf(stderr, "stator: %s\n", endpoint.error().c_str());
    return kExitFailure;
  }
  const Done done = work(**endpoint);
  if (done) return kExitOk;
  const CallFailure& failure = done.error();
  std::fprintf(stderr, "stator: %s%s%s\n", failure.type.c_str(), failure.type.empty() ? "" : ": ",
               failure.message.c_str());
  return kExitFailure;
}

// The two parts of s3://bucket/prefix.
struct Location {
  std::string bucket;
  std::string prefix;
};

// REQUIRES: the URL begins with s3://.
Location ParseUrl(std::string_view url) {
  url.remove_prefix(std::string_view("s3://").size());
  const std::size_t slash = url.find('/');
  if (slash == std::string_view::npos) return {std::string(url), {}};
  return {std::string(url.substr(0, slash)), std::string(url.substr(slash + 1))};
}

// The failure that the description of a job reports.
std::unexpected<CallFailure> JobFailed(const Answer& answer, std::string_view description) {
  return std::unexpected(CallFailure{answer.Text({description, "FailureCode"}),
                                     answer.Text({description, "FailureMessage"})});
}

// Seconds since the epoch. REQUIRES: the text is a time.
void WriteTime(JsonWriter& out, std::string_view key, const std::string& text) {
  const auto setting = ClockSetting::Parse("fixed:" + text);
  if (setting) out.Key(key).TimestampMs(setting->fixed.time_since_epoch().count());
}

CallResult DescribeTable(Endpoint& endpoint, const std::string& table) {
  return Call(endpoint, "DescribeTable",
              [&](JsonWriter& out) { out.Key("TableName").String(table); });
}

Done ListBackups(Endpoint& endpoint, const std::string& table) {
  std::string start;
  for (;;) {
    ASSIGN_OR_RETURN(const Answer page, Call(endpoint, "ListBackups", [&](JsonWriter& out) {
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

Done BackUp(Endpoint& endpoint, const std::string& table, const std::string& name) {
  ASSIGN_OR_RETURN(const Answer made, Call(endpoint, "CreateBackup", [&](JsonWriter& out) {
                     out.Key("TableName").String(table);
                     out.Key("BackupName").String(name.empty() ? table : name);
                   }));
  fmt::print("{}\n", made.Text({"BackupDetails", "BackupArn"}));
  return {};
}

Done Backup(Endpoint& endpoint, const BackupCommand& command) {
  if (command.list) return ListBackups(endpoint, command.table);
  if (!command.delete_arn.empty()) {
    RETURN_IF_ERROR(Call(endpoint, "DeleteBackup", [&](JsonWriter& out) {
      out.Key("BackupArn").String(command.delete_arn);
    }));
    return {};
  }
  if (!command.all) return BackUp(endpoint, command.table, command.name);
  std::string start;
  do {
    ASSIGN_OR_RETURN(const Answer page, Call(endpoint, "ListTables", [&](JsonWriter& out) {
                       if (!start.empty()) out.Key("ExclusiveStartTableName").String(start);
                     }));
    for (const std::string& table : page.Texts("TableNames")) {
      RETURN_IF_ERROR(BackUp(endpoint, table, command.name));
    }
    start = page.Text({"LastEvaluatedTableName"});
  } while (!start.empty());
  return {};
}

Progress RestoreProgress(const Answer& answer) {
  const std::int64_t items = answer.Integer({"Table", "ItemCount"});
  return {.done = items, .total = std::nullopt, .text = fmt::format("{} items", items)};
}

Done Restore(Endpoint& endpoint, const RestoreCommand& command) {
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
      Call(endpoint, is_backup ? "RestoreTableFromBackup" : "RestoreTableToPointInTime", write));
  ASSIGN_OR_RETURN(
      const Answer finished,
      WaitFor(endpoint, {.operation = "DescribeTable",
                         .member = "TableName",
                         .value = command.table,
                         .not_yet = {"CREATING"},
                         .status = [](const Answer& a) { return a.Text({"Table", "TableStatus"}); },
                         .progress = RestoreProgress}));
  fmt::print("{}\t{} items\n", finished.Text({"Table", "TableArn"}),
             finished.Integer({"Table", "ItemCount"}));
  return {};
}

Done EnableRecovery(Endpoint& endpoint, const std::string& table) {
  RETURN_IF_ERROR(Call(endpoint, "UpdateContinuousBackups", [&](JsonWriter& out) {
    out.Key("TableName").String(table);
    out.Key("PointInTimeRecoverySpecification").BeginObject();
    out.Key("PointInTimeRecoveryEnabled").Bool(true);
    out.EndObject();
  }));
  return {};
}

std::string Uppercase(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
  return text;
}

// As DynamoDB calls it.
std::string FormatWord(const std::string& format) {
  return format == "json" ? "DYNAMODB_JSON" : Uppercase(format);
}

void WriteExport(JsonWriter& out, const ExportCommand& command, const std::string& arn) {
  const Location location = ParseUrl(command.url);
  out.Key("TableArn").String(arn);
  out.Key("S3Bucket").String(location.bucket);
  if (!location.prefix.empty()) out.Key("S3Prefix").String(location.prefix);
  out.Key("ExportFormat").String(FormatWord(command.format));
  if (!command.at.empty()) WriteTime(out, "ExportTime", command.at);
  if (command.since.empty()) return;
  out.Key("ExportType").String("INCREMENTAL_EXPORT");
  out.Key("IncrementalExportSpecification").BeginObject();
  WriteTime(out, "ExportFromTime", command.since);
  if (!command.until.empty()) WriteTime(out, "ExportToTime", command.until);
  out.Key("ExportViewType").String(command.new_images_only ? "NEW_IMAGE" : "NEW_AND_OLD_IMAGES");
  out.EndObject();
}

Done Export(Endpoint& endpoint, const ExportCommand& command) {
  constexpr std::string_view kDescription = "ExportDescription";
  ASSIGN_OR_RETURN(const Answer table, DescribeTable(endpoint, command.table));
  if (command.enable_recovery) RETURN_IF_ERROR(EnableRecovery(endpoint, command.table));
  CallResult started = Call(endpoint, "ExportTableToPointInTime", [&](JsonWriter& out) {
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
    const std::int64_t items = answer.Integer({kDescription, "ItemCount"});
    return Progress{.done = items, .total = total, .text = fmt::format("{} items", items)};
  };
  ASSIGN_OR_RETURN(
      const Answer finished,
      WaitFor(endpoint,
              {.operation = "DescribeExport",
               .member = "ExportArn",
               .value = started->Text({kDescription, "ExportArn"}),
               .not_yet = {"IN_PROGRESS"},
               .status = [&](const Answer& a) { return a.Text({kDescription, "ExportStatus"}); },
               .progress = progress}));
  if (finished.Text({kDescription, "ExportStatus"}) != "COMPLETED")
    return JobFailed(finished, kDescription);
  fmt::print("s3://{}/{}\t{} items\n", finished.Text({kDescription, "S3Bucket"}),
             finished.Text({kDescription, "ExportManifest"}),
             finished.Integer({kDescription, "ItemCount"}));
  return {};
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

void WriteSource(JsonWriter& out, const ImportCommand& command) {
  const Location location = ParseUrl(command.url);
  out.Key("S3Bucket").String(location.bucket);
  if (!location.prefix.empty()) out.Key("S3KeyPrefix").String(location.prefix);
}

void WriteFormat(JsonWriter& out, const ImportCommand& command) {
  out.Key("InputFormat").String(FormatWord(command.format));
  out.Key("InputCompressionType").String(Uppercase(command.compression));
}

Done ImportNew(Endpoint& endpoint, const ImportCommand& command) {
  constexpr std::string_view kDescription = "ImportTableDescription";
  ASSIGN_OR_RETURN(const Answer started, Call(endpoint, "ImportTable", [&](JsonWriter& out) {
                     out.Key("S3BucketSource").BeginObject();
                     WriteSource(out, command);
                     out.EndObject();
                     WriteFormat(out, command);
                     WriteCsvOptions(out, command);
                     WriteTable(out, command);
                   }));
  const auto progress = [&](const Answer& answer) {
    return Progress{
        .done = 0,
        .total = std::nullopt,
        .text = fmt::format("{} items", answer.Integer({kDescription, "ProcessedItemCount"}))};
  };
  ASSIGN_OR_RETURN(
      const Answer finished,
      WaitFor(endpoint,
              {.operation = "DescribeImport",
               .member = "ImportArn",
               .value = started.Text({kDescription, "ImportArn"}),
               .not_yet = {"IN_PROGRESS"},
               .status = [&](const Answer& a) { return a.Text({kDescription, "ImportStatus"}); },
               .progress = progress}));
  if (finished.Text({kDescription, "ImportStatus"}) != "COMPLETED")
    return JobFailed(finished, kDescription);
  fmt::print("{}\t{} items\n", finished.Text({kDescription, "TableArn"}),
             finished.Integer({kDescription, "ImportedItemCount"}));
  return {};
}

Done ImportIntoExisting(Endpoint& endpoint, const ImportCommand& command) {
  constexpr std::string_view kDescription = "BulkOperationDescription";
  ASSIGN_OR_RETURN(const Answer started, Call(endpoint, "StartBulkPutItems", [&](JsonWriter& out) {
                     out.Key("TableName").String(command.table);
                     out.Key("InputS3Configuration").BeginObject();
                     WriteSource(out, command);
                     WriteFormat(out, command);
                     out.EndObject();
                   }));
  const auto status = [&](const Answer& a) {
    return a.Text({kDescription, "BulkOperationStatus"});
  };
  const auto progress = [&](const Answer& answer) {
    return Progress{
        .done = answer.Integer({kDescription, "ProcessedInputBytes"}),
        .total = answer.Integer({kDescription, "TotalInputBytes"}),
        .text = fmt::format("{} items", answer.Integer({kDescription, "ProcessedItemCount"}))};
  };
  ASSIGN_OR_RETURN(const Answer finished,
                   WaitFor(endpoint, {.operation = "DescribeBulkOperation",
                                      .member = "BulkOperationArn",
                                      .value = started.Text({kDescription, "BulkOperationArn"}),
                                      .not_yet = {"IN_PROGRESS", "CANCELLING"},
                                      .status = status,
                                      .progress = progress}));
  const std::int64_t failed = finished.Integer({kDescription, "FailedItemCount"});
  if (failed != 0) {
    return std::unexpected(
        CallFailure{{},
                    fmt::format("{} of {} items could not be put; the log tells why", failed,
                                finished.Integer({kDescription, "ProcessedItemCount"}))});
  }
  if (status(finished) != "COMPLETED") return JobFailed(finished, kDescription);
  fmt::print("{}\t{} items\n", command.table,
             finished.Integer({kDescription, "ProcessedItemCount"}));
  return {};
}

}  // namespace

int Run(const BackupCommand& command) {
  if (command.source.endpoint.empty() && command.source.directory.empty()) {
    return RunOnBackupDirectory(command);
  }
  return RunOn(command.source, [&](Endpoint& endpoint) { return Backup(endpoint, command); });
}
int Run(const RestoreCommand& command) {
  if (command.all) return RestoreAll(command);
  DataSource source = command.source;
  source.may_create = !source.backup_dir.empty();
  return RunOn(source, [&](Endpoint& endpoint) { return Restore(endpoint, command); });
}
int Run(const ExportCommand& command) {
  return RunOn(command.source, [&](Endpoint& endpoint) { return Export(endpoint, command); });
}
int Run(const ImportCommand& command) {
  return RunOn(command.source, [&](Endpoint& endpoint) {
    return command.into_existing ? ImportIntoExisting(endpoint, command)
                                 : ImportNew(endpoint, command);
  });
}

}  // namespace stator::cli
