// An export's row:
//
//   {"format":1,"id":…,"arn":…,"status":"IN_PROGRESS","startMs":…,"endMs":…,"manifest":…,
//    "tableArn":…,"tableId":…,"exportMs":…,"token":…,"bucket":…,"bucketOwner":…,"prefix":…,
//    "sse":"AES256","kmsKey":…,"failure":{…},"dataFormat":"ION","billedBytes":…,"items":…,
//    "type":"FULL_EXPORT","period":{"fromMs":…,"toMs":…,"view":"NEW_IMAGE"},"fingerprint":…,
//    "table":…,"keys":[…],"files":[{"items":…,"md5":…,"etag":…,"key":…},…],"cursor":BASE64}
//
// Members without a value are left out.
#include "engine/jobs/export_job.h"

#include "engine/catalog/table_row.h"
#include "engine/jobs/job_codec.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator {
namespace {

constexpr std::int64_t kFormat = 1;

using job_codec::ReadText;
using table_row::Reader;
using table_row::Word;

TimeMs Time(std::int64_t ms) { return TimeMs(std::chrono::milliseconds(ms)); }

void WriteShown(JsonWriter& out, const ExportDescription& shown) {
  out.Key("arn").String(shown.export_arn);
  out.Key("status").String(Word(shown.export_status));
  out.Key("startMs").Integer(shown.start_ms);
  job_codec::Write(out, "endMs", shown.end_ms);
  job_codec::Write(out, "manifest", shown.export_manifest);
  out.Key("tableArn").String(shown.table_arn);
  out.Key("tableId").String(shown.table_id);
  job_codec::Write(out, "exportMs", shown.export_time_ms);
  out.Key("token").String(shown.client_token);
  out.Key("bucket").String(shown.s3_bucket);
  job_codec::Write(out, "bucketOwner", shown.s3_bucket_owner);
  job_codec::Write(out, "prefix", shown.s3_prefix);
  out.Key("sse").String(Word(shown.s3_sse_algorithm));
  job_codec::Write(out, "kmsKey", shown.s3_sse_kms_key_id);
  job_codec::Write(out, shown.failure);
  out.Key("dataFormat").String(Word(shown.export_format));
  out.Key("billedBytes").Integer(shown.billed_size_bytes);
  out.Key("items").Integer(shown.item_count);
  out.Key("type").String(Word(shown.export_type));
  if (!shown.period) return;
  out.Key("period").BeginObject();
  out.Key("fromMs").Integer(shown.period->from_ms);
  out.Key("toMs").Integer(shown.period->to_ms);
  out.Key("view").String(Word(shown.period->view_type));
  out.EndObject();
}

ExportDescription ReadShown(Reader& in) {
  ExportDescription shown;
  shown.export_arn = in.String("arn");
  shown.export_status = in.Enum<ExportStatus>("status");
  shown.start_ms = in.Integer("startMs");
  shown.end_ms = in.OptionalInteger("endMs");
  shown.export_manifest = ReadText(in, "manifest");
  shown.table_arn = in.String("tableArn");
  shown.table_id = in.String("tableId");
  shown.export_time_ms = in.OptionalInteger("exportMs");
  shown.client_token = in.String("token");
  shown.s3_bucket = in.String("bucket");
  shown.s3_bucket_owner = ReadText(in, "bucketOwner");
  shown.s3_prefix = ReadText(in, "prefix");
  shown.s3_sse_algorithm = in.Enum<S3SseAlgorithm>("sse");
  shown.s3_sse_kms_key_id = ReadText(in, "kmsKey");
  shown.failure = job_codec::ReadFailure(in);
  shown.export_format = in.Enum<ExportFormat>("dataFormat");
  shown.billed_size_bytes = in.Integer("billedBytes");
  shown.item_count = in.Integer("items");
  shown.export_type = in.Enum<ExportType>("type");
  if (!in.Has("period")) return shown;
  in.Object("period", [&](Reader& inner) {
    shown.period = ExportDescription::Period{.from_ms = inner.Integer("fromMs"),
                                             .to_ms = inner.Integer("toMs"),
                                             .view_type = inner.Enum<ExportViewType>("view")};
  });
  return shown;
}

}  // namespace

std::string ExportJob::Encode() const {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  out.Key("format").Integer(kFormat);
  out.Key("id").String(id);
  WriteShown(out, shown);
  out.Key("fingerprint").String(fingerprint);
  out.Key("table").Integer(table);
  out.Key("keys").BeginArray();
  for (const std::string& name : key_names) out.String(name);
  out.EndArray();
  out.Key("files").BeginArray();
  for (const transfer::DataFileInfo& file : files) {
    out.BeginObject();
    out.Key("items").Integer(file.item_count);
    out.Key("md5").String(file.md5_checksum);
    out.Key("etag").String(file.etag);
    out.Key("key").String(file.key);
    out.EndObject();
  }
  out.EndArray();
  out.Key("cursor").Base64(cursor);
  out.EndObject();
  return json;
}

std::optional<ExportJob> ExportJob::Decode(std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json)) return std::nullopt;
  Reader in(document.root());
  in.Require(in.ok() && in.Integer("format") == kFormat);
  if (!in.ok()) return std::nullopt;
  ExportJob job;
  job.id = in.String("id");
  job.shown = ReadShown(in);
  job.fingerprint = in.String("fingerprint");
  job.table = in.Number<TableNumber>("table");
  job.key_names = in.Strings("keys");
  in.Objects("files", [&](Reader& inner) {
    transfer::DataFileInfo file;
    file.item_count = inner.Integer("items");
    file.md5_checksum = inner.String("md5");
    file.etag = inner.String("etag");
    file.key = inner.String("key");
    job.files.push_back(std::move(file));
  });
  job.cursor = in.Bytes("cursor");
  if (!in.ok()) return std::nullopt;
  return job;
}

transfer::ExportTarget ExportJob::Target() const {
  transfer::ExportTarget target{.bucket = shown.s3_bucket,
                                .prefix = shown.s3_prefix.value_or(""),
                                .export_id = id,
                                .format = shown.export_format == ExportFormat::kIon
                                              ? transfer::DataFormat::kIon
                                              : transfer::DataFormat::kDynamoDbJson,
                                .period = std::nullopt};
  if (shown.period) {
    target.period =
        transfer::ExportPeriod{.from = Time(shown.period->from_ms),
                               .to = Time(shown.period->to_ms),
                               .view = shown.period->view_type == ExportViewType::kNewImage
                                           ? transfer::ExportView::kNewImage
                                           : transfer::ExportView::kNewAndOldImages};
  }
  return target;
}

}  // namespace stator
