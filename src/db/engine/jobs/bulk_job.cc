// A bulk operation's row (job_codec.h has its head): {…,"progress":{…}}
#include "engine/jobs/bulk_job.h"

#include <fmt/format.h>

#include "engine/catalog/table_row.h"
#include "engine/jobs/import_job.h"
#include "engine/jobs/job_codec.h"
#include "transfer/object_name.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator {
transfer::ImportSource BulkJob::Source() const {
  const InputS3Configuration& input = shown.input_s3_configuration;
  transfer::ImportSource source{.bucket = input.s3_bucket.value_or(""),
                                .prefix = input.s3_key_prefix.value_or(""),
                                .format = transfer::DataFormat::kDynamoDbJson,
                                .compression = transfer::Compression::kNone,
                                .csv = {}};
  if (input.input_format && input.input_format->value() == ExportFormat::kIon) {
    source.format = transfer::DataFormat::kIon;
  }
  if (input.input_compression_type) {
    source.compression = AsCompression(input.input_compression_type->value());
  }
  return source;
}

std::string BulkJob::ErrorBucket() const {
  std::string input = shown.input_s3_configuration.s3_bucket.value_or("");
  if (!shown.output_s3_configuration) return input;
  return shown.output_s3_configuration->s3_bucket.value_or(input);
}

std::string BulkJob::ErrorKey(std::uint64_t first) const {
  std::string prefix;
  if (shown.output_s3_configuration) {
    prefix = shown.output_s3_configuration->s3_key_prefix.value_or("");
  }
  return transfer::JoinKey(prefix, fmt::format("AWSDynamoDB/{}/errors/{:012}.json", id, first));
}

std::string BulkJob::Encode() const {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  job_codec::WriteHead(out, *this);
  job_codec::Write(out, progress);
  out.EndObject();
  return json;
}

std::optional<BulkJob> BulkJob::Decode(std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json)) return std::nullopt;
  table_row::Reader in(document.root());
  BulkJob job;
  job_codec::ReadHead(in, job);
  job.progress = job_codec::ReadProgress(in);
  if (!in.ok()) return std::nullopt;
  return job;
}

}  // namespace stator
