// ImportTable, DescribeImport and ListImports.
#include <algorithm>
#include <string_view>

#include "api/constraints.h"
#include "api/operations.h"
#include "api/tables/create_table.h"
#include "api/transfers/transfer_rules.h"
#include "base/random.h"
#include "base/try.h"

namespace stator {

// ImportTable: makes a new table of the items in files.
namespace import_table {
namespace {

constexpr std::size_t kMaxHeaders = 255;
constexpr std::string_view kDelimiters = ",;:|\t ";

struct Plan {
  ImportTableRequest request;
  Table table;
  std::string fingerprint;
};

void ConstrainCsv(Constraints& check, const CsvImportOptions& csv) {
  constexpr std::string_view kPath = "inputFormatOptions.csv.delimiter";
  if (csv.delimiter) {
    const std::string shown = Constraints::Quoted(*csv.delimiter);
    const bool is_known = kDelimiters.find(*csv.delimiter) != std::string_view::npos;
    if (!is_known) {
      check.Fail(shown, kPath, R"(Member must satisfy regular expression pattern: [,;:|\t ])");
    }
    check.Length(shown, kPath, csv.delimiter->size(), 1, 1);
  }
  if (csv.header_list) {
    check.Length("'[…]'", "inputFormatOptions.csv.headerList", csv.header_list->size(), 1,
                 kMaxHeaders);
  }
}

Result<void> CheckConstraints(const ImportTableRequest& request) {
  Constraints check;
  ConstrainToken(check, request.client_token);
  check.NotNull("s3BucketSource", request.s3_bucket_source);
  if (const auto& source = request.s3_bucket_source) {
    ConstrainBucketOwner(check, "s3BucketSource.s3BucketOwner", source->s3_bucket_owner);
    ConstrainBucket(check, "s3BucketSource.s3Bucket", source->s3_bucket);
    ConstrainPrefix(check, "s3BucketSource.s3KeyPrefix", source->s3_key_prefix);
  }
  check.NotNull("inputFormat", request.input_format);
  check.Enum("inputFormat", request.input_format);
  if (request.input_format_options && request.input_format_options->csv) {
    ConstrainCsv(check, *request.input_format_options->csv);
  }
  check.Enum("inputCompressionType", request.input_compression_type);
  check.NotNull("tableCreationParameters", request.table_creation_parameters);
  return check.Finish();
}

Result<void> CheckOptions(const ImportTableRequest& request) {
  const bool has_csv = request.input_format_options && request.input_format_options->csv;
  if (!has_csv || request.input_format->value() == InputFormat::kCsv) return {};
  return std::unexpected(Error::Validation(
      "Invalid Request: InputFormatOptions for CSV can only be specified when InputFormat is CSV"));
}

CreateTableRequest AsCreateTable(const TableCreationParameters& table) {
  CreateTableRequest request;
  request.table_name = table.table_name;
  request.attribute_definitions = table.attribute_definitions;
  request.key_schema = table.key_schema;
  request.billing_mode = table.billing_mode;
  request.provisioned_throughput = table.provisioned_throughput;
  request.on_demand_throughput = table.on_demand_throughput;
  request.sse_specification = table.sse_specification;
  request.global_secondary_indexes = table.global_secondary_indexes;
  return request;
}

std::string FingerprintOf(const ImportTableRequest& request) {
  std::optional<std::string> table(std::in_place);
  JsonWriter table_json(*table);
  ResponseToJson(table_json, *request.table_creation_parameters);
  Fingerprint fingerprint;
  const S3BucketSource& source = *request.s3_bucket_source;
  fingerprint.Add(source.s3_bucket_owner).Add(source.s3_bucket).Add(source.s3_key_prefix);
  fingerprint.Add(request.input_format).Add(request.input_compression_type);
  if (request.input_format_options && request.input_format_options->csv) {
    const CsvImportOptions& csv = *request.input_format_options->csv;
    fingerprint.Add(csv.delimiter);
    for (const std::string& header : csv.header_list.value_or(std::vector<std::string>())) {
      fingerprint.Add(std::optional(header));
    }
  }
  return fingerprint.Add(table).Text();
}

Result<Plan> Validate(ImportTableRequest&& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(CheckConstraints(request));
  RETURN_IF_ERROR(CheckOptions(request));
  Plan plan;
  ASSIGN_OR_RETURN(plan.table,
                   PlanNewTable(AsCreateTable(*request.table_creation_parameters), engine));
  RETURN_IF_ERROR(CheckBuckets(engine));
  RETURN_IF_ERROR(
      CheckLocation(request.s3_bucket_source->s3_bucket, request.s3_bucket_source->s3_key_prefix));
  plan.fingerprint = FingerprintOf(request);
  plan.request = std::move(request);
  return plan;
}

ImportJob MakeJob(Engine& engine, Plan& plan, TimeMs now) {
  ImportTableRequest& request = plan.request;
  ImportJob job;
  job.id = engine.transfers().NewId();
  job.fingerprint = std::move(plan.fingerprint);
  ImportTableDescription& shown = job.shown;
  shown.import_arn = plan.table.arn + std::string(kImportArn.part) + job.id;
  shown.client_token = request.client_token ? *request.client_token : RandomUuid();
  shown.s3_bucket_source = *std::move(request.s3_bucket_source);
  shown.input_format = request.input_format->value();
  if (request.input_format_options) shown.csv = std::move(request.input_format_options->csv);
  if (request.input_compression_type) {
    shown.input_compression_type = request.input_compression_type->value();
  }
  shown.table_creation_parameters = *std::move(request.table_creation_parameters);
  shown.start_ms = now.time_since_epoch().count();
  return job;
}

Result<ImportTableResponse> Execute(Engine& engine, Plan plan) {
  const TimeMs now = engine.clock().Now();
  const ImportPtr earlier =
      FindByToken(engine.transfers().imports(), plan.request.client_token, now);
  if (earlier) {
    if (earlier->fingerprint != plan.fingerprint) return std::unexpected(Error::ImportConflict());
    return ImportTableResponse{earlier->shown};
  }
  RETURN_IF_ERROR(PrepareNewTable(engine, now, plan.table));
  ImportJob job = MakeJob(engine, plan, now);
  ASSIGN_OR_RETURN(const ImportPtr started,
                   engine.transfers().StartImport(std::move(job), std::move(plan.table)));
  return ImportTableResponse{started->shown};
}

}  // namespace
}  // namespace import_table

STATOR_DEFINE_BACKGROUND_OPERATION(ImportTable, import_table);

// DescribeImport: tells how an import is getting on.
namespace describe_import {
namespace {

struct Plan {
  std::string arn;
  std::string id;
};

Result<Plan> Validate(const DescribeImportRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.id, JobIdOf(request.import_arn, kImportArn, engine));
  plan.arn = *request.import_arn;
  return plan;
}

Result<DescribeImportResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const ImportPtr job,
                   engine.LookUp([&] { return engine.transfers().imports().Find(plan.id); }));
  if (!job || job->shown.import_arn != plan.arn) {
    return std::unexpected(Error::ImportNotFound(plan.arn));
  }
  return DescribeImportResponse{job->shown};
}

}  // namespace
}  // namespace describe_import

STATOR_DEFINE_OPERATION(DescribeImport, describe_import);

// ListImports: imports in the order in which they began, page by page.
namespace list_imports {
namespace {

struct Plan {
  JobPage page;
  std::optional<std::string> table_arn;
};

Result<Plan> Validate(const ListImportsRequest& request, Engine&, Wording) {
  Plan plan{.page = {}, .table_arn = request.table_arn};
  ASSIGN_OR_RETURN(plan.page, JobPage::From("pageSize", request.page_size, request.next_token));
  return plan;
}

Result<ListImportsResponse> Execute(Engine& engine, const Plan& plan) {
  RETURN_IF_ERROR(engine.BringCatalogUpToDate());
  ListImportsResponse response;
  response.next_token = plan.page.List(
      engine.transfers().imports(),
      [&](const auto& shown) { return !plan.table_arn || shown.table_arn == *plan.table_arn; },
      [&](const auto& shown) {
        response.import_summary_list.push_back({.import_arn = shown.import_arn,
                                                .import_status = shown.import_status,
                                                .table_arn = shown.table_arn,
                                                .s3_bucket_source = shown.s3_bucket_source,
                                                .input_format = shown.input_format,
                                                .start_ms = shown.start_ms,
                                                .end_ms = shown.end_ms});
      });
  return response;
}

}  // namespace
}  // namespace list_imports

STATOR_DEFINE_OPERATION(ListImports, list_imports);

}  // namespace stator
