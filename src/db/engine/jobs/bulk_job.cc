// A bulk operation's row:
//
//   {"format":1,"id":…,"arn":…,"status":"IN_PROGRESS","table":…,"tableId":…,"token":…,
//    "input":{"bucket":…,"prefix":…,"owner":…,"dataFormat":"ION","compression":"GZIP"},
//    "output":{"types":["ERROR"],"bucket":…,"prefix":…,"owner":…},"startMs":…,"endMs":…,
//    "items":…,"inputBytes":…,"totalBytes":…,"failed":…,"putBytes":…,"failure":{…},"maxUnits":…,
//    "tier":"STANDARD","fingerprint":…,"progress":{…}}
//
// Members without a value are left out.
#include "engine/jobs/bulk_job.h"

#include <fmt/format.h>

#include "engine/catalog/table_row.h"
#include "engine/jobs/import_job.h"
#include "engine/jobs/job_codec.h"
#include "transfer/object_name.h"
#include "value/json.h"
#include "value/json_writer.h"

namespace stator {
namespace {

constexpr std::int64_t kFormat = 1;

using job_codec::ReadText;
using table_row::FromWord;
using table_row::Reader;
using table_row::Word;

void WriteInput(JsonWriter& out, const InputS3Configuration& input) {
  out.Key("input").BeginObject();
  job_codec::Write(out, "bucket", input.s3_bucket);
  job_codec::Write(out, "prefix", input.s3_key_prefix);
  job_codec::Write(out, "owner", input.s3_bucket_owner);
  if (input.input_format) out.Key("dataFormat").String(Word(input.input_format->value()));
  if (input.input_compression_type) {
    out.Key("compression").String(Word(input.input_compression_type->value()));
  }
  out.EndObject();
}

void ReadInput(Reader& in, InputS3Configuration& input) {
  input.s3_bucket = ReadText(in, "bucket");
  input.s3_key_prefix = ReadText(in, "prefix");
  input.s3_bucket_owner = ReadText(in, "owner");
  if (in.Has("dataFormat")) input.input_format = in.Enum<ExportFormat>("dataFormat");
  if (in.Has("compression")) {
    input.input_compression_type = in.Enum<InputCompressionType>("compression");
  }
}

void WriteOutput(JsonWriter& out, const std::optional<OutputS3Configuration>& output) {
  if (!output) return;
  out.Key("output").BeginObject();
  if (output->output_type) {
    out.Key("types").BeginArray();
    for (const Choice<BulkOutputType>& type : *output->output_type) out.String(Word(type.value()));
    out.EndArray();
  }
  job_codec::Write(out, "bucket", output->s3_bucket);
  job_codec::Write(out, "prefix", output->s3_key_prefix);
  job_codec::Write(out, "owner", output->s3_bucket_owner);
  out.EndObject();
}

void ReadOutput(Reader& in, OutputS3Configuration& output) {
  if (in.Has("types")) {
    output.output_type.emplace();
    for (const std::string& word : in.Strings("types")) {
      const std::optional<BulkOutputType> type = FromWord<BulkOutputType>(word);
      in.Require(type.has_value());
      if (type) output.output_type->emplace_back(*type);
    }
  }
  output.s3_bucket = ReadText(in, "bucket");
  output.s3_key_prefix = ReadText(in, "prefix");
  output.s3_bucket_owner = ReadText(in, "owner");
}

void WriteShown(JsonWriter& out, const BulkOperationDescription& shown) {
  out.Key("arn").String(shown.bulk_operation_arn);
  out.Key("status").String(Word(shown.bulk_operation_status));
  out.Key("table").String(shown.table_name);
  out.Key("tableId").String(shown.table_id);
  out.Key("token").String(shown.client_token);
  WriteInput(out, shown.input_s3_configuration);
  WriteOutput(out, shown.output_s3_configuration);
  out.Key("startMs").Integer(shown.start_ms);
  job_codec::Write(out, "endMs", shown.end_ms);
  out.Key("items").Integer(shown.processed_item_count);
  out.Key("inputBytes").Integer(shown.processed_input_bytes);
  out.Key("totalBytes").Integer(shown.total_input_bytes);
  out.Key("failed").Integer(shown.failed_item_count);
  out.Key("putBytes").Integer(shown.bulk_put_bytes);
  job_codec::Write(out, shown.failure);
  job_codec::Write(out, "maxUnits", shown.max_write_request_units);
  out.Key("tier").String(Word(shown.performance_tier));
}

BulkOperationDescription ReadShown(Reader& in) {
  BulkOperationDescription shown;
  shown.bulk_operation_arn = in.String("arn");
  shown.bulk_operation_status = in.Enum<BulkOperationStatus>("status");
  shown.table_name = in.String("table");
  shown.table_id = in.String("tableId");
  shown.client_token = in.String("token");
  in.Object("input", [&](Reader& inner) { ReadInput(inner, shown.input_s3_configuration); });
  if (in.Has("output")) {
    in.Object("output",
              [&](Reader& inner) { ReadOutput(inner, shown.output_s3_configuration.emplace()); });
  }
  shown.start_ms = in.Integer("startMs");
  shown.end_ms = in.OptionalInteger("endMs");
  shown.processed_item_count = in.Integer("items");
  shown.processed_input_bytes = in.Integer("inputBytes");
  shown.total_input_bytes = in.Integer("totalBytes");
  shown.failed_item_count = in.Integer("failed");
  shown.bulk_put_bytes = in.Integer("putBytes");
  shown.failure = job_codec::ReadFailure(in);
  shown.max_write_request_units = in.OptionalInteger("maxUnits");
  shown.performance_tier = in.Enum<PerformanceTier>("tier");
  return shown;
}

}  // namespace

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
  out.Key("format").Integer(kFormat);
  out.Key("id").String(id);
  WriteShown(out, shown);
  out.Key("fingerprint").String(fingerprint);
  job_codec::Write(out, progress);
  out.EndObject();
  return json;
}

std::optional<BulkJob> BulkJob::Decode(std::string_view json) {
  JsonDocument document;
  if (!document.Parse(json)) return std::nullopt;
  Reader in(document.root());
  in.Require(in.ok() && in.Integer("format") == kFormat);
  if (!in.ok()) return std::nullopt;
  BulkJob job;
  job.id = in.String("id");
  job.shown = ReadShown(in);
  job.fingerprint = in.String("fingerprint");
  job.progress = job_codec::ReadProgress(in);
  if (!in.ok()) return std::nullopt;
  return job;
}

}  // namespace stator
