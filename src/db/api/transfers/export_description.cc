#include "api/transfers/export_description.h"

#include "api/enum_text.h"
#include "api/transfers/transfer_rules.h"

namespace stator {
namespace {

// Counts are shown as soon as there is something to count.
void WriteCounts(JsonWriter& out, const ExportDescription& shown) {
  if (shown.export_status == ExportStatus::kInProgress && shown.item_count == 0) return;
  if (shown.export_status == ExportStatus::kFailed) return;
  out.Key("BilledSizeBytes").Integer(shown.billed_size_bytes);
  out.Key("ItemCount").Integer(shown.item_count);
}

void WritePeriod(JsonWriter& out, const std::optional<ExportDescription::Period>& period) {
  if (!period) return;
  out.Key("IncrementalExportSpecification").BeginObject();
  out.Key("ExportFromTime").TimestampMs(period->from_ms);
  out.Key("ExportToTime").TimestampMs(period->to_ms);
  out.Key("ExportViewType").String(EnumText(period->view_type));
  out.EndObject();
}

}  // namespace

void WriteExportResponse(JsonWriter& out, const ExportDescription& shown) {
  out.BeginObject();
  out.Key("ExportDescription").BeginObject();
  out.Key("ExportArn").String(shown.export_arn);
  out.Key("ExportStatus").String(EnumText(shown.export_status));
  out.Key("StartTime").TimestampMs(shown.start_ms);
  if (shown.end_ms) out.Key("EndTime").TimestampMs(*shown.end_ms);
  WriteOptional(out, "ExportManifest", shown.export_manifest);
  out.Key("TableArn").String(shown.table_arn);
  out.Key("TableId").String(shown.table_id);
  if (shown.export_time_ms) out.Key("ExportTime").TimestampMs(*shown.export_time_ms);
  out.Key("ClientToken").String(shown.client_token);
  out.Key("S3Bucket").String(shown.s3_bucket);
  WriteOptional(out, "S3BucketOwner", shown.s3_bucket_owner);
  WriteOptional(out, "S3Prefix", shown.s3_prefix);
  out.Key("S3SseAlgorithm").String(EnumText(shown.s3_sse_algorithm));
  WriteOptional(out, "S3SseKmsKeyId", shown.s3_sse_kms_key_id);
  WriteFailure(out, shown.failure);
  out.Key("ExportFormat").String(EnumText(shown.export_format));
  WriteCounts(out, shown);
  out.Key("ExportType").String(EnumText(shown.export_type));
  WritePeriod(out, shown.period);
  out.EndObject();
  out.EndObject();
}

}  // namespace stator
