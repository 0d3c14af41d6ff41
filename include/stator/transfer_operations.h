// Requests and responses of exports, imports and bulk operations, with DynamoDB's own names. Times
// are milliseconds since the epoch. Buckets are folders of DatabaseOptions::s3_root.
#ifndef STATOR_TRANSFER_OPERATIONS_H_
#define STATOR_TRANSFER_OPERATIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "stator/table_operations.h"

namespace stator {

enum class ExportFormat : std::uint8_t { kDynamoDbJson, kIon };
enum class ExportType : std::uint8_t { kFullExport, kIncrementalExport };
enum class ExportViewType : std::uint8_t { kNewImage, kNewAndOldImages };
enum class ExportStatus : std::uint8_t { kInProgress, kCompleted, kFailed };
enum class S3SseAlgorithm : std::uint8_t { kAes256, kKms };
enum class InputFormat : std::uint8_t { kDynamoDbJson, kIon, kCsv };
enum class InputCompressionType : std::uint8_t { kGzip, kZstd, kNone };
enum class ImportStatus : std::uint8_t {
  kInProgress,
  kCompleted,
  kCancelling,
  kCancelled,
  kFailed
};
enum class BulkOutputType : std::uint8_t { kError, kConditionCheckFailure };
enum class PerformanceTier : std::uint8_t { kStandard, kAccelerated };
enum class BulkOperationStatus : std::uint8_t {
  kInProgress,
  kCompleted,
  kCompletedWithErrors,
  kCancelling,
  kCancelled,
  kFailed,
};

// Why a job ended without success.
struct JobFailure {
  std::string code;
  std::string message;
};

struct IncrementalExportSpecification {
  std::optional<std::int64_t> export_from_time_ms;  // inclusive
  std::optional<std::int64_t> export_to_time_ms;    // exclusive; absent: as late as can be
  std::optional<Choice<ExportViewType>> export_view_type;
};
struct ExportTableToPointInTimeRequest {
  std::optional<std::string> table_arn;
  std::optional<std::int64_t> export_time_ms;  // absent: as late as can be
  std::optional<std::string> client_token;
  std::optional<std::string> s3_bucket;
  std::optional<std::string> s3_bucket_owner;
  std::optional<std::string> s3_prefix;
  std::optional<Choice<S3SseAlgorithm>> s3_sse_algorithm;
  std::optional<std::string> s3_sse_kms_key_id;
  std::optional<Choice<ExportFormat>> export_format;
  std::optional<Choice<ExportType>> export_type;
  std::optional<IncrementalExportSpecification> incremental_export_specification;
};
struct ExportDescription {
  // What an incremental export covers.
  struct Period {
    std::int64_t from_ms = 0;
    std::int64_t to_ms = 0;
    ExportViewType view_type = ExportViewType::kNewAndOldImages;
  };
  std::string export_arn;
  ExportStatus export_status = ExportStatus::kInProgress;
  std::int64_t start_ms = 0;
  std::optional<std::int64_t> end_ms;
  std::optional<std::string> export_manifest;
  std::string table_arn;
  std::string table_id;
  std::optional<std::int64_t> export_time_ms;  // of a full export
  std::string client_token;
  std::string s3_bucket;
  std::optional<std::string> s3_bucket_owner;
  std::optional<std::string> s3_prefix;
  S3SseAlgorithm s3_sse_algorithm = S3SseAlgorithm::kAes256;
  std::optional<std::string> s3_sse_kms_key_id;
  std::optional<JobFailure> failure;
  ExportFormat export_format = ExportFormat::kDynamoDbJson;
  std::int64_t billed_size_bytes = 0;
  std::int64_t item_count = 0;
  ExportType export_type = ExportType::kFullExport;
  std::optional<Period> period;
};
struct ExportResponse {
  ExportDescription export_description;
};
using ExportTableToPointInTimeResponse = ExportResponse;
using DescribeExportResponse = ExportResponse;

struct DescribeExportRequest {
  std::optional<std::string> export_arn;
};
struct ListExportsRequest {
  std::optional<std::string> table_arn;
  std::optional<std::int64_t> max_results;
  std::optional<std::string> next_token;
};
struct ExportSummary {
  std::string export_arn;
  ExportStatus export_status = ExportStatus::kInProgress;
  ExportType export_type = ExportType::kFullExport;
};
struct ListExportsResponse {
  std::vector<ExportSummary> export_summaries;
  std::optional<std::string> next_token;
};

struct S3BucketSource {
  std::optional<std::string> s3_bucket_owner;
  std::optional<std::string> s3_bucket;
  std::optional<std::string> s3_key_prefix;
};
struct CsvImportOptions {
  std::optional<std::string> delimiter;
  std::optional<std::vector<std::string>> header_list;
};
struct InputFormatOptions {
  std::optional<CsvImportOptions> csv;
};
struct TableCreationParameters {
  std::optional<std::string> table_name;
  std::optional<std::vector<AttributeDefinition>> attribute_definitions;
  std::optional<std::vector<KeySchemaElement>> key_schema;
  std::optional<Choice<BillingMode>> billing_mode;
  std::optional<ProvisionedThroughput> provisioned_throughput;
  std::optional<OnDemandThroughput> on_demand_throughput;
  std::optional<SseSpecification> sse_specification;
  std::optional<std::vector<GlobalSecondaryIndex>> global_secondary_indexes;
};
struct ImportTableRequest {
  std::optional<std::string> client_token;
  std::optional<S3BucketSource> s3_bucket_source;
  std::optional<Choice<InputFormat>> input_format;
  std::optional<InputFormatOptions> input_format_options;
  std::optional<Choice<InputCompressionType>> input_compression_type;
  std::optional<TableCreationParameters> table_creation_parameters;
};
struct ImportTableDescription {
  std::string import_arn;
  ImportStatus import_status = ImportStatus::kInProgress;
  std::string table_arn;
  std::string table_id;
  std::string client_token;
  S3BucketSource s3_bucket_source;
  std::int64_t error_count = 0;
  InputFormat input_format = InputFormat::kDynamoDbJson;
  std::optional<CsvImportOptions> csv;
  InputCompressionType input_compression_type = InputCompressionType::kNone;
  TableCreationParameters table_creation_parameters;
  std::int64_t start_ms = 0;
  std::optional<std::int64_t> end_ms;
  std::int64_t processed_size_bytes = 0;
  std::int64_t processed_item_count = 0;
  std::int64_t imported_item_count = 0;
  std::optional<JobFailure> failure;
};
struct ImportResponse {
  ImportTableDescription import_table_description;
};
using ImportTableResponse = ImportResponse;
using DescribeImportResponse = ImportResponse;

struct DescribeImportRequest {
  std::optional<std::string> import_arn;
};
struct ListImportsRequest {
  std::optional<std::string> table_arn;
  std::optional<std::int64_t> page_size;
  std::optional<std::string> next_token;
};
struct ImportSummary {
  std::string import_arn;
  ImportStatus import_status = ImportStatus::kInProgress;
  std::string table_arn;
  S3BucketSource s3_bucket_source;
  InputFormat input_format = InputFormat::kDynamoDbJson;
  std::int64_t start_ms = 0;
  std::optional<std::int64_t> end_ms;
};
struct ListImportsResponse {
  std::vector<ImportSummary> import_summary_list;
  std::optional<std::string> next_token;
};

// Where a bulk operation reads its items.
struct InputS3Configuration {
  std::optional<std::string> s3_bucket;
  std::optional<std::string> s3_key_prefix;
  std::optional<std::string> s3_bucket_owner;
  std::optional<Choice<ExportFormat>> input_format;
  std::optional<Choice<InputCompressionType>> input_compression_type;
};
// Where it writes about those that it could not put. Without a bucket: into that of the input.
struct OutputS3Configuration {
  std::optional<std::vector<Choice<BulkOutputType>>> output_type;
  std::optional<std::string> s3_bucket;
  std::optional<std::string> s3_key_prefix;
  std::optional<std::string> s3_bucket_owner;
};
struct StartBulkPutItemsRequest {
  std::optional<std::string> table_name;
  std::optional<InputS3Configuration> input_s3_configuration;
  std::optional<OutputS3Configuration> output_s3_configuration;
  std::optional<std::string> client_token;
  std::optional<std::int64_t> max_write_request_units;
  std::optional<Choice<PerformanceTier>> performance_tier;
};
struct BulkOperationDescription {
  std::string bulk_operation_arn;
  BulkOperationStatus bulk_operation_status = BulkOperationStatus::kInProgress;
  std::string table_name;
  std::string table_id;
  std::string client_token;
  InputS3Configuration input_s3_configuration;
  std::optional<OutputS3Configuration> output_s3_configuration;
  std::int64_t start_ms = 0;
  std::optional<std::int64_t> end_ms;
  std::int64_t processed_item_count = 0;
  std::int64_t processed_input_bytes = 0;
  std::int64_t total_input_bytes = 0;
  std::int64_t failed_item_count = 0;
  std::int64_t bulk_put_bytes = 0;  // of the items that were put
  std::optional<JobFailure> failure;
  std::optional<std::int64_t> max_write_request_units;
  PerformanceTier performance_tier = PerformanceTier::kStandard;
};
struct BulkOperationResponse {
  BulkOperationDescription bulk_operation_description;
};
using StartBulkPutItemsResponse = BulkOperationResponse;
using DescribeBulkOperationResponse = BulkOperationResponse;

struct DescribeBulkOperationRequest {
  std::optional<std::string> bulk_operation_arn;
};
struct CancelBulkOperationRequest {
  std::optional<std::string> bulk_operation_arn;
};
struct CancelBulkOperationResponse {
  std::string bulk_operation_arn;
  BulkOperationStatus bulk_operation_status = BulkOperationStatus::kCancelling;
};
struct ListBulkOperationsRequest {
  std::optional<std::string> table_name;
  std::optional<std::int64_t> max_results;
  std::optional<std::string> next_token;
};
struct BulkOperationSummary {
  std::string bulk_operation_arn;
  BulkOperationStatus bulk_operation_status = BulkOperationStatus::kInProgress;
  std::int64_t start_ms = 0;
  std::optional<std::int64_t> end_ms;
};
struct ListBulkOperationsResponse {
  std::vector<BulkOperationSummary> bulk_operations_summary_list;
  std::optional<std::string> next_token;
};

}  // namespace stator

#endif  // STATOR_TRANSFER_OPERATIONS_H_
