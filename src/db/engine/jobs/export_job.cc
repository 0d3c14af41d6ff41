// An export's row (job_codec.h has its head):
//
//   {…,"billedBytes":…,"items":…,"table":…,"keys":[…],
//    "files":[{"items":…,"md5":…,"etag":…,"key":…},…],"cursor":BASE64}
//
// The counts are kept apart from the description, which does not always show them.
#include "engine/jobs/export_job.h"

#include "engine/catalog/table_row.h"
#include "engine/jobs/job_codec.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator {
namespace {

using table_row::Reader;

TimeMs Time(std::int64_t ms) { return TimeMs(std::chrono::milliseconds(ms)); }

}  // namespace

std::string ExportJob::Encode() const {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  job_codec::WriteHead(out, *this);
  out.Key("billedBytes").Integer(shown.billed_size_bytes);
  out.Key("items").Integer(shown.item_count);
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
  ExportJob job;
  job_codec::ReadHead(in, job);
  job.shown.billed_size_bytes = in.Integer("billedBytes");
  job.shown.item_count = in.Integer("items");
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
