// stator import: into a new table, or into one that is there.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/try.h"
#include "cli/answers.h"
#include "cli/transfer.h"
#include "cli/transfer_work.h"

namespace stator::cli {
namespace {

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
    return std::unexpected(
        CallFailure{{},
                    fmt::format("{} of {} items could not be put; the log tells why", failed,
                                over.Integer({kShown, "ProcessedItemCount"}))});
  }
  if (status(over) != "COMPLETED") return JobFailed(over, kShown);
  fmt::print("{}\t{} items\n", command.table, over.Integer({kShown, "ProcessedItemCount"}));
  return {};
}

}  // namespace

int Run(const ImportCommand& command) {
  return RunOn(command.source, [&](Caller& caller) {
    return command.into_existing ? ImportIntoExisting(caller, command) : ImportNew(caller, command);
  });
}

}  // namespace stator::cli
