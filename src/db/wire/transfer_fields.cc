// Exports, imports and bulk operations on the wire. The three descriptions also stand in the rows of
// their jobs.
#include "stator/transfer_operations.h"
#include "wire/field_list.h"
#include "wire/table_fields.h"

namespace stator {

template <class Visitor>
void Fields(Visitor& visit, JobFailure& failure) {
  visit("FailureCode", failure.code);
  visit("FailureMessage", failure.message);
}

template <class Visitor>
void Fields(Visitor& visit, IncrementalExportSpecification& period) {
  visit.Time("ExportFromTime", period.export_from_time_ms);
  visit.Time("ExportToTime", period.export_to_time_ms);
  visit("ExportViewType", period.export_view_type);
}

template <class Visitor>
void Fields(Visitor& visit, ExportTableToPointInTimeRequest& request) {
  visit("TableArn", request.table_arn);
  visit.Time("ExportTime", request.export_time_ms);
  visit("ClientToken", request.client_token);
  visit("S3Bucket", request.s3_bucket);
  visit("S3BucketOwner", request.s3_bucket_owner);
  visit("S3Prefix", request.s3_prefix);
  visit("S3SseAlgorithm", request.s3_sse_algorithm);
  visit("S3SseKmsKeyId", request.s3_sse_kms_key_id);
  visit("ExportFormat", request.export_format);
  visit("ExportType", request.export_type);
  visit("IncrementalExportSpecification", request.incremental_export_specification);
}

template <class Visitor>
void Fields(Visitor& visit, ExportDescription::Period& period) {
  visit.Time("ExportFromTime", period.from_ms);
  visit.Time("ExportToTime", period.to_ms);
  visit("ExportViewType", period.view_type);
}

// Counts are shown as soon as there is something to count, and not for what failed.
inline bool ShowsCounts(const ExportDescription& shown) {
  if (shown.export_status == ExportStatus::kInProgress) return shown.item_count != 0;
  return shown.export_status != ExportStatus::kFailed;
}

template <class Visitor>
void Fields(Visitor& visit, ExportDescription& shown) {
  visit("ExportArn", shown.export_arn);
  visit("ExportStatus", shown.export_status);
  visit.Time("StartTime", shown.start_ms);
  visit.Time("EndTime", shown.end_ms);
  visit("ExportManifest", shown.export_manifest);
  visit("TableArn", shown.table_arn);
  visit("TableId", shown.table_id);
  visit.Time("ExportTime", shown.export_time_ms);
  visit("ClientToken", shown.client_token);
  visit("S3Bucket", shown.s3_bucket);
  visit("S3BucketOwner", shown.s3_bucket_owner);
  visit("S3Prefix", shown.s3_prefix);
  visit("S3SseAlgorithm", shown.s3_sse_algorithm);
  visit("S3SseKmsKeyId", shown.s3_sse_kms_key_id);
  visit.Inline("FailureCode", shown.failure);
  visit("ExportFormat", shown.export_format);
  if (visit.When(ShowsCounts(shown))) {
    visit("BilledSizeBytes", shown.billed_size_bytes);
    visit("ItemCount", shown.item_count);
  }
  visit("ExportType", shown.export_type);
  visit("IncrementalExportSpecification", shown.period);
}

template <class Visitor>
void Fields(Visitor& visit, ExportResponse& response) {
  visit("ExportDescription", response.export_description);
}

template <class Visitor>
void Fields(Visitor& visit, DescribeExportRequest& request) {
  visit("ExportArn", request.export_arn);
}

template <class Visitor>
void Fields(Visitor& visit, ListExportsRequest& request) {
  visit("TableArn", request.table_arn);
  visit("MaxResults", request.max_results);
  visit("NextToken", request.next_token);
}

template <class Visitor>
void Fields(Visitor& visit, ExportSummary& summary) {
  visit("ExportArn", summary.export_arn);
  visit("ExportStatus", summary.export_status);
  visit("ExportType", summary.export_type);
}

template <class Visitor>
void Fields(Visitor& visit, ListExportsResponse& response) {
  visit("ExportSummaries", "ExportSummary", response.export_summaries);
  visit("NextToken", response.next_token);
}

template <class Visitor>
void Fields(Visitor& visit, S3BucketSource& source) {
  visit("S3BucketOwner", source.s3_bucket_owner);
  visit("S3Bucket", source.s3_bucket);
  visit("S3KeyPrefix", source.s3_key_prefix);
}

template <class Visitor>
void Fields(Visitor& visit, CsvImportOptions& csv) {
  visit("Delimiter", csv.delimiter);
  visit("HeaderList", csv.header_list);
}

template <class Visitor>
void Fields(Visitor& visit, InputFormatOptions& options) {
  visit("Csv", "CsvOptions", options.csv);
}

template <class Visitor>
void Fields(Visitor& visit, TableCreationParameters& table) {
  visit("TableName", table.table_name);
  visit("AttributeDefinitions", "AttributeDefinition", table.attribute_definitions);
  visit("KeySchema", "KeySchemaElement", table.key_schema);
  visit("BillingMode", table.billing_mode);
  visit("ProvisionedThroughput", table.provisioned_throughput);
  visit("OnDemandThroughput", table.on_demand_throughput);
  visit("SSESpecification", table.sse_specification);
  visit("GlobalSecondaryIndexes", "GlobalSecondaryIndex", table.global_secondary_indexes);
}

template <class Visitor>
void Fields(Visitor& visit, ImportTableRequest& request) {
  visit("ClientToken", request.client_token);
  visit("S3BucketSource", request.s3_bucket_source);
  visit("InputFormat", request.input_format);
  visit("InputFormatOptions", request.input_format_options);
  visit("InputCompressionType", request.input_compression_type);
  visit("TableCreationParameters", request.table_creation_parameters);
}

template <class Visitor>
void Fields(Visitor& visit, ImportTableDescription& shown) {
  visit("ImportArn", shown.import_arn);
  visit("ImportStatus", shown.import_status);
  visit("TableArn", shown.table_arn);
  visit("TableId", shown.table_id);
  visit("ClientToken", shown.client_token);
  visit("S3BucketSource", shown.s3_bucket_source);
  visit("ErrorCount", shown.error_count);
  visit("InputFormat", shown.input_format);
  if (visit.When(shown.csv.has_value())) {
    visit.Group("InputFormatOptions",
                [&](Visitor& options) { options("Csv", "CsvOptions", shown.csv); });
  }
  visit("InputCompressionType", shown.input_compression_type);
  visit("TableCreationParameters", shown.table_creation_parameters);
  visit.Time("StartTime", shown.start_ms);
  visit.Time("EndTime", shown.end_ms);
  visit("ProcessedSizeBytes", shown.processed_size_bytes);
  visit("ProcessedItemCount", shown.processed_item_count);
  visit("ImportedItemCount", shown.imported_item_count);
  visit.Inline("FailureCode", shown.failure);
}

template <class Visitor>
void Fields(Visitor& visit, ImportResponse& response) {
  visit("ImportTableDescription", response.import_table_description);
}

template <class Visitor>
void Fields(Visitor& visit, DescribeImportRequest& request) {
  visit("ImportArn", request.import_arn);
}

template <class Visitor>
void Fields(Visitor& visit, ListImportsRequest& request) {
  visit("TableArn", request.table_arn);
  visit("PageSize", request.page_size);
  visit("NextToken", request.next_token);
}

template <class Visitor>
void Fields(Visitor& visit, ImportSummary& summary) {
  visit("ImportArn", summary.import_arn);
  visit("ImportStatus", summary.import_status);
  visit("TableArn", summary.table_arn);
  visit("S3BucketSource", summary.s3_bucket_source);
  visit("InputFormat", summary.input_format);
  visit.Time("StartTime", summary.start_ms);
  visit.Time("EndTime", summary.end_ms);
}

template <class Visitor>
void Fields(Visitor& visit, ListImportsResponse& response) {
  visit("ImportSummaryList", "ImportSummary", response.import_summary_list);
  visit("NextToken", response.next_token);
}

template <class Visitor>
void Fields(Visitor& visit, InputS3Configuration& input) {
  visit("S3Bucket", input.s3_bucket);
  visit("S3KeyPrefix", input.s3_key_prefix);
  visit("S3BucketOwner", input.s3_bucket_owner);
  visit("InputFormat", input.input_format);
  visit("InputCompressionType", input.input_compression_type);
}

template <class Visitor>
void Fields(Visitor& visit, OutputS3Configuration& output) {
  visit("OutputType", output.output_type);
  visit("S3Bucket", output.s3_bucket);
  visit("S3KeyPrefix", output.s3_key_prefix);
  visit("S3BucketOwner", output.s3_bucket_owner);
}

template <class Visitor>
void Fields(Visitor& visit, StartBulkPutItemsRequest& request) {
  visit("TableName", request.table_name);
  visit("InputS3Configuration", request.input_s3_configuration);
  visit("OutputS3Configuration", request.output_s3_configuration);
  visit("ClientToken", request.client_token);
  visit.Long("MaxWriteRequestUnits", request.max_write_request_units);
  visit("PerformanceTier", request.performance_tier);
}

template <class Visitor>
void Fields(Visitor& visit, BulkOperationDescription& shown) {
  visit("BulkOperationArn", shown.bulk_operation_arn);
  visit("BulkOperationStatus", shown.bulk_operation_status);
  visit.ListOfOne("TableDetails", [&](Visitor& table) {
    table("TableName", shown.table_name);
    table("TableId", shown.table_id);
  });
  visit("ClientToken", shown.client_token);
  visit("InputS3Configuration", shown.input_s3_configuration);
  visit("OutputS3Configuration", shown.output_s3_configuration);
  visit.Time("StartTime", shown.start_ms);
  visit.Time("EndTime", shown.end_ms);
  visit("ProcessedItemCount", shown.processed_item_count);
  visit("ProcessedInputBytes", shown.processed_input_bytes);
  visit("TotalInputBytes", shown.total_input_bytes);
  visit("FailedItemCount", shown.failed_item_count);
  visit.ListOfOne("BulkOperationUsage", [&](Visitor& usage) {
    usage("TableName", shown.table_name);
    usage("BulkPutBytes", shown.bulk_put_bytes);
  });
  visit.Inline("FailureCode", shown.failure);
  visit("MaxWriteRequestUnits", shown.max_write_request_units);
  visit("PerformanceTier", shown.performance_tier);
}

template <class Visitor>
void Fields(Visitor& visit, BulkOperationResponse& response) {
  visit("BulkOperationDescription", response.bulk_operation_description);
}

template <class Visitor>
void Fields(Visitor& visit, DescribeBulkOperationRequest& request) {
  visit("BulkOperationArn", request.bulk_operation_arn);
}

template <class Visitor>
void Fields(Visitor& visit, CancelBulkOperationRequest& request) {
  visit("BulkOperationArn", request.bulk_operation_arn);
}

template <class Visitor>
void Fields(Visitor& visit, CancelBulkOperationResponse& response) {
  visit("BulkOperationArn", response.bulk_operation_arn);
  visit("BulkOperationStatus", response.bulk_operation_status);
}

template <class Visitor>
void Fields(Visitor& visit, ListBulkOperationsRequest& request) {
  visit("TableName", request.table_name);
  visit("MaxResults", request.max_results);
  visit("NextToken", request.next_token);
}

template <class Visitor>
void Fields(Visitor& visit, BulkOperationSummary& summary) {
  visit("BulkOperationArn", summary.bulk_operation_arn);
  visit("BulkOperationStatus", summary.bulk_operation_status);
  visit.Time("StartTime", summary.start_ms);
  visit.Time("EndTime", summary.end_ms);
}

template <class Visitor>
void Fields(Visitor& visit, ListBulkOperationsResponse& response) {
  visit("BulkOperationsSummaryList", "BulkOperationSummary", response.bulk_operations_summary_list);
  visit("NextToken", response.next_token);
}

STATOR_WIRE_REQUEST(ExportTableToPointInTimeRequest);
STATOR_WIRE_REQUEST(DescribeExportRequest);
STATOR_WIRE_RESPONSE(ExportResponse);
STATOR_WIRE_OPERATION(ListExports);
STATOR_WIRE_REQUEST(ImportTableRequest);
STATOR_WIRE_REQUEST(DescribeImportRequest);
STATOR_WIRE_RESPONSE(ImportResponse);
STATOR_WIRE_OPERATION(ListImports);
STATOR_WIRE_REQUEST(StartBulkPutItemsRequest);
STATOR_WIRE_REQUEST(DescribeBulkOperationRequest);
STATOR_WIRE_RESPONSE(BulkOperationResponse);
STATOR_WIRE_OPERATION(CancelBulkOperation);
STATOR_WIRE_OPERATION(ListBulkOperations);
STATOR_WIRE_RESPONSE(ExportDescription);
STATOR_WIRE_RESPONSE(ImportTableDescription);
STATOR_WIRE_RESPONSE(BulkOperationDescription);
STATOR_WIRE_RESPONSE(TableCreationParameters);

}  // namespace stator
