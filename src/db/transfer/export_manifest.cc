#include "transfer/export_manifest.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.h"
#include "base/try.h"
#include "base/utc_text.h"
#include "transfer/md5.h"
#include "transfer/object_name.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator::transfer {
namespace {

constexpr std::size_t kManifestBytesMax = 64 * 1024 * 1024;

std::string RootKey(const ExportTarget& target) { return JoinKey(target.prefix, "AWSDynamoDB/"); }

void WritePeriod(JsonWriter& json, const ExportTarget& target, const ExportSummary& summary) {
  if (target.period) {
    json.Key("exportFromTime").String(IsoTime(target.period->from));
    json.Key("exportToTime").String(IsoTime(target.period->to));
  } else {
    json.Key("exportTime").String(IsoTime(summary.export_time));
  }
}

void WriteOptional(JsonWriter& json, const std::string& text) {
  if (text.empty()) {
    json.Null();
  } else {
    json.String(text);
  }
}

std::optional<DataFileInfo> ParseDataFile(std::string_view line) {
  JsonDocument document;
  if (!document.Parse(line) || document.root().kind() != JsonKind::kObject) return std::nullopt;
  const JsonValue root = document.root();
  const auto text = [&](std::string_view name) -> std::string {
    const std::optional<JsonValue> member = root.Member(name);
    if (!member || member->kind() != JsonKind::kString) return {};
    return std::string(member->string());
  };
  const std::optional<JsonValue> count = root.Member("itemCount");
  DataFileInfo file{.item_count = 0,
                    .md5_checksum = text("md5Checksum"),
                    .etag = text("etag"),
                    .key = text("dataFileS3Key")};
  if (!count || count->kind() != JsonKind::kInteger || file.key.empty()) return std::nullopt;
  file.item_count = count->integer();
  return file;
}

// The checksum in the .md5 beside a manifest; nothing if there is none.
TransferResult<std::optional<std::string>> ReadChecksum(const ObjectStore& store,
                                                        std::string_view bucket,
                                                        std::string_view manifest_key) {
  constexpr std::size_t kChecksumBytesMax = 1024;
  constexpr std::string_view kEnding = ".json";
  if (!manifest_key.ends_with(kEnding)) return std::nullopt;
  manifest_key.remove_suffix(kEnding.size());
  TransferResult<std::string> text =
      GetObject(store, bucket, std::string(manifest_key).append(".md5"), kChecksumBytesMax);
  if (!text && text.error().kind == TransferError::Kind::kNotFound) return std::nullopt;
  if (!text) return std::unexpected(std::move(text).error());
  text->erase(text->find_last_not_of(" \r\n") + 1);
  return *std::move(text);
}

}  // namespace

std::string ExportTarget::FolderKey() const { return RootKey(*this) + export_id + "/"; }
std::string ExportTarget::DataFolderKey() const {
  return (period ? RootKey(*this) : FolderKey()) + "data/";
}
std::string ExportTarget::SummaryKey() const { return FolderKey() + "manifest-summary.json"; }
std::string ExportTarget::FilesKey() const { return FolderKey() + "manifest-files.json"; }

std::string NewExportId(TimeMs now) {
  const std::string random = RandomBytes(4);
  std::string id = fmt::format("{:014}-", now.time_since_epoch().count());
  for (const char byte : random) id += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return id;
}

std::string IsoTime(TimeMs time) { return UtcMilliseconds(time) + "Z"; }

std::string SummaryJson(const ExportTarget& target, const ExportSummary& summary) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("version").String(target.period ? "2023-08-01" : "2020-06-30");
  json.Key("exportArn").String(summary.export_arn);
  json.Key("startTime").String(IsoTime(summary.start_time));
  json.Key("endTime").String(IsoTime(summary.end_time));
  json.Key("tableArn").String(summary.table_arn);
  json.Key("tableId").String(summary.table_id);
  WritePeriod(json, target, summary);
  json.Key("s3Bucket").String(target.bucket);
  WriteOptional(json.Key("s3Prefix"), target.prefix);
  json.Key("s3SseAlgorithm").String(summary.s3_sse_algorithm);
  WriteOptional(json.Key("s3SseKmsKeyId"), summary.s3_sse_kms_key_id.value_or(""));
  json.Key("manifestFilesS3Key").String(target.FilesKey());
  json.Key("billedSizeBytes").Integer(summary.billed_size_bytes);
  json.Key("itemCount").Integer(summary.item_count);
  json.Key("outputFormat").String(FormatName(target.format));
  if (target.period) json.Key("outputView").String(ViewName(target.period->view));
  json.Key("exportType").String(target.period ? "INCREMENTAL_EXPORT" : "FULL_EXPORT");
  json.EndObject();
  return out;
}

void AppendDataFileJson(std::string& out, const DataFileInfo& file) {
  JsonWriter json(out);
  json.BeginObject();
  json.Key("itemCount").Integer(file.item_count);
  json.Key("md5Checksum").String(file.md5_checksum);
  json.Key("etag").String(file.etag);
  json.Key("dataFileS3Key").String(file.key);
  json.EndObject();
  out.push_back('\n');
}

TransferResult<std::vector<DataFileInfo>> ReadDataFiles(const ObjectStore& store,
                                                        std::string_view bucket,
                                                        std::string_view files_key) {
  ASSIGN_OR_RETURN(const std::string text, GetObject(store, bucket, files_key, kManifestBytesMax));
  ASSIGN_OR_RETURN(const std::optional<std::string> checksum,
                   ReadChecksum(store, bucket, files_key));
  if (checksum && *checksum != ChecksumText(Md5Digest(text))) {
    return Corrupt(fmt::format("{} has another checksum than its .md5", files_key));
  }
  std::vector<DataFileInfo> files;
  std::string_view rest = text;
  for (std::size_t line = 1; !rest.empty(); ++line) {
    const std::string_view row = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), row.size() + 1));
    if (row.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    std::optional<DataFileInfo> file = ParseDataFile(row);
    if (!file) return Corrupt(fmt::format("{}: line {} is malformed", files_key, line));
    files.push_back(*std::move(file));
  }
  return files;
}

}  // namespace stator::transfer
