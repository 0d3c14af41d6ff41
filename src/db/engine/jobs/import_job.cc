// An import's row (job_codec.h has its head): {…,"progress":{…},"firstProblem":…}
#include "engine/jobs/import_job.h"

#include "engine/catalog/table_row.h"
#include "engine/jobs/job_codec.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator {
namespace {

using table_row::Reader;

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
  job_codec::WriteHead(out, *this);
  job_codec::Write(out, progress);
  out.Key("firstProblem").String(first_problem);
  out.EndObject();
  return json;
}

std::optional<ImportJob> ImportJob::Decode(std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json)) return std::nullopt;
  Reader in(document.root());
  ImportJob job;
  job_codec::ReadHead(in, job);
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
