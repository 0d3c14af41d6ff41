// An import's row:
//
//   {"format":1,"id":…,"arn":…,"status":"IN_PROGRESS","tableArn":…,"tableId":…,"token":…,
//    "bucket":…,"bucketOwner":…,"prefix":…,"errors":…,"dataFormat":"CSV",
//    "csv":{"delimiter":…,"headers":[…]},"compression":"GZIP","startMs":…,"endMs":…,"bytes":…,
//    "items":…,"imported":…,"failure":{…},"tableParameters":TEXT,"fingerprint":…,"progress":{…},
//    "firstProblem":…}
//
// Members without a value are left out.
#include "engine/jobs/import_job.h"

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

void WriteCsv(JsonWriter& out, const std::optional<CsvImportOptions>& csv) {
  if (!csv) return;
  out.Key("csv").BeginObject();
  job_codec::Write(out, "delimiter", csv->delimiter);
  if (csv->header_list) {
    out.Key("headers").BeginArray();
    for (const std::string& header : *csv->header_list) out.String(header);
    out.EndArray();
  }
  out.EndObject();
}

std::optional<CsvImportOptions> ReadCsv(Reader& in) {
  if (!in.Has("csv")) return std::nullopt;
  CsvImportOptions csv;
  in.Object("csv", [&](Reader& inner) {
    csv.delimiter = ReadText(inner, "delimiter");
    if (inner.Has("headers")) csv.header_list = inner.Strings("headers");
  });
  return csv;
}

void WriteShown(JsonWriter& out, const ImportTableDescription& shown) {
  out.Key("arn").String(shown.import_arn);
  out.Key("status").String(Word(shown.import_status));
  out.Key("tableArn").String(shown.table_arn);
  out.Key("tableId").String(shown.table_id);
  out.Key("token").String(shown.client_token);
  job_codec::Write(out, "bucket", shown.s3_bucket_source.s3_bucket);
  job_codec::Write(out, "bucketOwner", shown.s3_bucket_source.s3_bucket_owner);
  job_codec::Write(out, "prefix", shown.s3_bucket_source.s3_key_prefix);
  out.Key("errors").Integer(shown.error_count);
  out.Key("dataFormat").String(Word(shown.input_format));
  WriteCsv(out, shown.csv);
  out.Key("compression").String(Word(shown.input_compression_type));
  out.Key("startMs").Integer(shown.start_ms);
  job_codec::Write(out, "endMs", shown.end_ms);
  out.Key("bytes").Integer(shown.processed_size_bytes);
  out.Key("items").Integer(shown.processed_item_count);
  out.Key("imported").Integer(shown.imported_item_count);
  job_codec::Write(out, shown.failure);
}

ImportTableDescription ReadShown(Reader& in) {
  ImportTableDescription shown;
  shown.import_arn = in.String("arn");
  shown.import_status = in.Enum<ImportStatus>("status");
  shown.table_arn = in.String("tableArn");
  shown.table_id = in.String("tableId");
  shown.client_token = in.String("token");
  shown.s3_bucket_source.s3_bucket = in.String("bucket");
  shown.s3_bucket_source.s3_bucket_owner = ReadText(in, "bucketOwner");
  shown.s3_bucket_source.s3_key_prefix = ReadText(in, "prefix");
  shown.error_count = in.Integer("errors");
  shown.input_format = in.Enum<InputFormat>("dataFormat");
  shown.csv = ReadCsv(in);
  shown.input_compression_type = in.Enum<InputCompressionType>("compression");
  shown.start_ms = in.Integer("startMs");
  shown.end_ms = in.OptionalInteger("endMs");
  shown.processed_size_bytes = in.Integer("bytes");
  shown.processed_item_count = in.Integer("items");
  shown.imported_item_count = in.Integer("imported");
  shown.failure = job_codec::ReadFailure(in);
  return shown;
}

transfer::DataFormat AsFormat(InputFormat format) {
  switch (format) {
    case InputFormat::kDynamoDbJson:
      return transfer::DataFormat::kDynamoDbJson;
    case InputFormat::kIon:
      return transfer::DataFormat::kIon;
    case InputFormat::kCsv:
      return transfer::DataFormat::kCsv;
  }
  return transfer::DataFormat::kDynamoDbJson;
}

}  // namespace

transfer::Compression AsCompression(InputCompressionType type) {
  switch (type) {
    case InputCompressionType::kGzip:
      return transfer::Compression::kGzip;
    case InputCompressionType::kZstd:
      return transfer::Compression::kZstd;
    case InputCompressionType::kNone:
      return transfer::Compression::kNone;
  }
  return transfer::Compression::kNone;
}

std::string ImportJob::Encode() const {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  out.Key("format").Integer(kFormat);
  out.Key("id").String(id);
  WriteShown(out, shown);
  out.Key("tableParameters").String(table_parameters);
  out.Key("fingerprint").String(fingerprint);
  job_codec::Write(out, progress);
  out.Key("firstProblem").String(first_problem);
  out.EndObject();
  return json;
}

std::optional<ImportJob> ImportJob::Decode(std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json)) return std::nullopt;
  Reader in(document.root());
  in.Require(in.ok() && in.Integer("format") == kFormat);
  if (!in.ok()) return std::nullopt;
  ImportJob job;
  job.id = in.String("id");
  job.shown = ReadShown(in);
  job.table_parameters = in.String("tableParameters");
  job.fingerprint = in.String("fingerprint");
  job.progress = job_codec::ReadProgress(in);
  job.first_problem = in.String("firstProblem");
  if (!in.ok()) return std::nullopt;
  return job;
}

transfer::ImportSource ImportJob::Source(const Table& table) const {
  transfer::ImportSource source{.bucket = shown.s3_bucket_source.s3_bucket.value_or(""),
                                .prefix = shown.s3_bucket_source.s3_key_prefix.value_or(""),
                                .format = AsFormat(shown.input_format),
                                .compression = AsCompression(shown.input_compression_type),
                                .csv = {}};
  if (shown.csv && shown.csv->delimiter && !shown.csv->delimiter->empty()) {
    source.csv.delimiter = shown.csv->delimiter->front();
  }
  if (shown.csv && shown.csv->header_list) source.csv.headers = *shown.csv->header_list;
  for (const auto& [name, type] : table.attribute_definitions) {
    source.csv.key_types.emplace_back(name, AsType(type));
  }
  return source;
}

}  // namespace stator
