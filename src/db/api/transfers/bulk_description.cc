#include "api/transfers/bulk_description.h"

#include "api/enum_text.h"
#include "api/transfers/transfer_rules.h"
#include "base/try.h"

namespace stator {
namespace {

void WriteInput(JsonWriter& out, const InputS3Configuration& input) {
  out.Key("InputS3Configuration").BeginObject();
  WriteOptional(out, "S3Bucket", input.s3_bucket);
  WriteOptional(out, "S3KeyPrefix", input.s3_key_prefix);
  WriteOptional(out, "S3BucketOwner", input.s3_bucket_owner);
  if (input.input_format) out.Key("InputFormat").String(EnumText(input.input_format->value()));
  if (input.input_compression_type) {
    out.Key("InputCompressionType").String(EnumText(input.input_compression_type->value()));
  }
  out.EndObject();
}

void WriteOutput(JsonWriter& out, const std::optional<OutputS3Configuration>& output) {
  if (!output) return;
  out.Key("OutputS3Configuration").BeginObject();
  if (output->output_type) {
    out.Key("OutputType").BeginArray();
    for (const auto& type : *output->output_type) out.String(EnumText(type.value()));
    out.EndArray();
  }
  WriteOptional(out, "S3Bucket", output->s3_bucket);
  WriteOptional(out, "S3KeyPrefix", output->s3_key_prefix);
  WriteOptional(out, "S3BucketOwner", output->s3_bucket_owner);
  out.EndObject();
}

void WriteCounts(JsonWriter& out, const BulkOperationDescription& shown) {
  out.Key("ProcessedItemCount").Integer(shown.processed_item_count);
  out.Key("ProcessedInputBytes").Integer(shown.processed_input_bytes);
  out.Key("TotalInputBytes").Integer(shown.total_input_bytes);
  out.Key("FailedItemCount").Integer(shown.failed_item_count);
  out.Key("BulkOperationUsage").BeginArray();
  out.BeginObject();
  out.Key("TableName").String(shown.table_name);
  out.Key("BulkPutBytes").Integer(shown.bulk_put_bytes);
  out.EndObject();
  out.EndArray();
}

}  // namespace

Result<BulkPtr> FindBulkOperation(const std::string& arn, Engine& engine) {
  ASSIGN_OR_RETURN(const std::string id, JobIdOf(arn, kBulkArn, engine));
  BulkPtr job = engine.transfers().bulk_operations().Find(id);
  if (job && job->shown.bulk_operation_arn == arn) return job;
  return std::unexpected(Error::ResourceNotFound("Bulk operation not found: " + arn));
}

void WriteBulkOperationResponse(JsonWriter& out, const BulkOperationDescription& shown) {
  out.BeginObject();
  out.Key("BulkOperationDescription").BeginObject();
  out.Key("BulkOperationArn").String(shown.bulk_operation_arn);
  out.Key("BulkOperationStatus").String(EnumText(shown.bulk_operation_status));
  out.Key("TableDetails").BeginArray();
  out.BeginObject();
  out.Key("TableName").String(shown.table_name);
  out.Key("TableId").String(shown.table_id);
  out.EndObject();
  out.EndArray();
  out.Key("ClientToken").String(shown.client_token);
  WriteInput(out, shown.input_s3_configuration);
  WriteOutput(out, shown.output_s3_configuration);
  out.Key("StartTime").TimestampMs(shown.start_ms);
  if (shown.end_ms) out.Key("EndTime").TimestampMs(*shown.end_ms);
  WriteCounts(out, shown);
  WriteFailure(out, shown.failure);
  if (shown.max_write_request_units) {
    out.Key("MaxWriteRequestUnits").Integer(*shown.max_write_request_units);
  }
  out.Key("PerformanceTier").String(EnumText(shown.performance_tier));
  out.EndObject();
  out.EndObject();
}

}  // namespace stator
