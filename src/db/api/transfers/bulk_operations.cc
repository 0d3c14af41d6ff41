// StartBulkPutItems, DescribeBulkOperation, CancelBulkOperation and ListBulkOperations.
#include "api/constraints.h"
#include "api/operations.h"
#include "api/tables/table_reference.h"
#include "api/transfers/transfer_rules.h"
#include "base/random.h"
#include "base/try.h"
#include "wire/enum_text.h"

namespace stator {

namespace {

Result<BulkPtr> FindBulkOperation(const std::string& arn, Engine& engine) {
  ASSIGN_OR_RETURN(const std::string id, JobIdOf(arn, kBulkArn, engine));
  ASSIGN_OR_RETURN(BulkPtr job,
                   engine.LookUp([&] { return engine.transfers().bulk_operations().Find(id); }));
  if (job && job->shown.bulk_operation_arn == arn) return job;
  return std::unexpected(Error::ResourceNotFound("Bulk operation not found: " + arn));
}

}  // namespace

// StartBulkPutItems: puts the items of files into a table.
namespace start_bulk_put_items {
namespace {

struct Plan {
  StartBulkPutItemsRequest request;
  std::string table_name;
  std::string fingerprint;
};

using OutputTypes = std::vector<Choice<BulkOutputType>>;

void ConstrainInput(Constraints& check, const std::optional<InputS3Configuration>& input) {
  check.NotNull("inputS3Configuration", input);
  if (!input) return;
  ConstrainBucket(check, "inputS3Configuration.s3Bucket", input->s3_bucket);
  ConstrainPrefix(check, "inputS3Configuration.s3KeyPrefix", input->s3_key_prefix);
  ConstrainBucketOwner(check, "inputS3Configuration.s3BucketOwner", input->s3_bucket_owner);
  check.NotNull("inputS3Configuration.inputFormat", input->input_format);
  check.Enum("inputS3Configuration.inputFormat", input->input_format);
  check.Enum("inputS3Configuration.inputCompressionType", input->input_compression_type);
}

void ConstrainOutput(Constraints& check, const std::optional<OutputS3Configuration>& output) {
  if (!output) return;
  if (output->output_type) {
    for (std::size_t i = 0; i < output->output_type->size(); ++i) {
      check.Enum("outputS3Configuration.outputType." + std::to_string(i + 1) + ".member",
                 std::optional((*output->output_type)[i]));
    }
  }
  if (output->s3_bucket) {
    ConstrainBucket(check, "outputS3Configuration.s3Bucket", output->s3_bucket);
  }
  ConstrainPrefix(check, "outputS3Configuration.s3KeyPrefix", output->s3_key_prefix);
  ConstrainBucketOwner(check, "outputS3Configuration.s3BucketOwner", output->s3_bucket_owner);
}

Result<void> CheckLocations(const StartBulkPutItemsRequest& request) {
  const InputS3Configuration& input = *request.input_s3_configuration;
  RETURN_IF_ERROR(CheckLocation(input.s3_bucket, input.s3_key_prefix));
  if (!request.output_s3_configuration) return {};
  const OutputS3Configuration& output = *request.output_s3_configuration;
  return CheckLocation(output.s3_bucket ? output.s3_bucket : input.s3_bucket, output.s3_key_prefix);
}

std::string FingerprintOf(const StartBulkPutItemsRequest& request) {
  Fingerprint fingerprint;
  const InputS3Configuration& input = *request.input_s3_configuration;
  fingerprint.Add(request.table_name).Add(input.s3_bucket).Add(input.s3_key_prefix);
  fingerprint.Add(input.s3_bucket_owner).Add(input.input_format).Add(input.input_compression_type);
  if (const auto& output = request.output_s3_configuration) {
    for (const auto& type : output->output_type.value_or(OutputTypes())) {
      fingerprint.Add(std::optional(type));
    }
    fingerprint.Add(output->s3_bucket).Add(output->s3_key_prefix).Add(output->s3_bucket_owner);
  }
  return fingerprint.Add(request.max_write_request_units).Add(request.performance_tier).Text();
}

Result<Plan> Validate(StartBulkPutItemsRequest&& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  Constraints check;
  ConstrainInput(check, request.input_s3_configuration);
  ConstrainOutput(check, request.output_s3_configuration);
  ConstrainToken(check, request.client_token);
  check.AtLeast("maxWriteRequestUnits", request.max_write_request_units, 1);
  check.Enum("performanceTier", request.performance_tier);
  RETURN_IF_ERROR(check.Finish());
  RETURN_IF_ERROR(CheckBuckets(engine));
  RETURN_IF_ERROR(CheckLocations(request));
  plan.fingerprint = FingerprintOf(request);
  plan.request = std::move(request);
  return plan;
}

BulkJob MakeJob(Engine& engine, Plan& plan, const Table& table, TimeMs now) {
  StartBulkPutItemsRequest& request = plan.request;
  BulkJob job;
  job.id = engine.transfers().NewId();
  job.fingerprint = std::move(plan.fingerprint);
  BulkOperationDescription& shown = job.shown;
  shown.bulk_operation_arn = table.arn + std::string(kBulkArn.part) + job.id;
  shown.table_name = table.name;
  shown.table_id = table.id;
  shown.client_token = request.client_token ? *request.client_token : RandomUuid();
  shown.input_s3_configuration = *std::move(request.input_s3_configuration);
  shown.output_s3_configuration = std::move(request.output_s3_configuration);
  shown.start_ms = now.time_since_epoch().count();
  shown.max_write_request_units = request.max_write_request_units;
  if (request.performance_tier) shown.performance_tier = request.performance_tier->value();
  return job;
}

Result<StartBulkPutItemsResponse> Execute(Engine& engine, Plan plan) {
  const TimeMs now = engine.clock().Now();
  const BulkPtr earlier =
      FindByToken(engine.transfers().bulk_operations(), plan.request.client_token, now);
  if (earlier) {
    if (earlier->fingerprint != plan.fingerprint) {
      return std::unexpected(Error::IdempotentParameterMismatch());
    }
    return StartBulkPutItemsResponse{earlier->shown};
  }
  ASSIGN_OR_RETURN(const TablePtr table, engine.FindTable(plan.table_name));
  BulkJob job = MakeJob(engine, plan, *table, now);
  ASSIGN_OR_RETURN(const BulkPtr started, engine.transfers().StartBulkOperation(std::move(job)));
  return StartBulkPutItemsResponse{started->shown};
}

}  // namespace
}  // namespace start_bulk_put_items

STATOR_DEFINE_BACKGROUND_OPERATION(StartBulkPutItems, start_bulk_put_items);

// DescribeBulkOperation: tells how a bulk operation is getting on.
namespace describe_bulk_operation {
namespace {

struct Plan {
  std::string arn;
};

Result<Plan> Validate(const DescribeBulkOperationRequest& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(JobIdOf(request.bulk_operation_arn, kBulkArn, engine));
  return Plan{*request.bulk_operation_arn};
}

Result<DescribeBulkOperationResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const BulkPtr job, FindBulkOperation(plan.arn, engine));
  return DescribeBulkOperationResponse{job->shown};
}

}  // namespace
}  // namespace describe_bulk_operation

STATOR_DEFINE_OPERATION(DescribeBulkOperation, describe_bulk_operation);

// CancelBulkOperation: stops a bulk operation; what it has put stays.
namespace cancel_bulk_operation {
namespace {

struct Plan {
  std::string arn;
};

Result<Plan> Validate(const CancelBulkOperationRequest& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(JobIdOf(request.bulk_operation_arn, kBulkArn, engine));
  return Plan{*request.bulk_operation_arn};
}

// An operation that is over answers with the state in which it ended.
Result<CancelBulkOperationResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const BulkPtr known, FindBulkOperation(plan.arn, engine));
  ASSIGN_OR_RETURN(const BulkPtr job, engine.transfers().CancelBulkOperation(known->id));
  return CancelBulkOperationResponse{.bulk_operation_arn = plan.arn,
                                     .bulk_operation_status = job->shown.bulk_operation_status};
}

}  // namespace
}  // namespace cancel_bulk_operation

STATOR_DEFINE_BACKGROUND_OPERATION(CancelBulkOperation, cancel_bulk_operation);

// ListBulkOperations: bulk operations in the order in which they began, page by page.
namespace list_bulk_operations {
namespace {

struct Plan {
  JobPage page;
  std::optional<std::string> table_name;
};

Result<Plan> Validate(const ListBulkOperationsRequest& request, Engine& engine, Wording) {
  Plan plan;
  if (request.table_name) {
    ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  }
  ASSIGN_OR_RETURN(plan.page, JobPage::From("maxResults", request.max_results, request.next_token));
  return plan;
}

Result<ListBulkOperationsResponse> Execute(Engine& engine, const Plan& plan) {
  RETURN_IF_ERROR(engine.BringCatalogUpToDate());
  ListBulkOperationsResponse response;
  response.next_token = plan.page.List(
      engine.transfers().bulk_operations(),
      [&](const auto& shown) { return !plan.table_name || shown.table_name == *plan.table_name; },
      [&](const auto& shown) {
        response.bulk_operations_summary_list.push_back(
            {.bulk_operation_arn = shown.bulk_operation_arn,
             .bulk_operation_status = shown.bulk_operation_status,
             .start_ms = shown.start_ms,
             .end_ms = shown.end_ms});
      });
  return response;
}

}  // namespace
}  // namespace list_bulk_operations

STATOR_DEFINE_OPERATION(ListBulkOperations, list_bulk_operations);

}  // namespace stator
