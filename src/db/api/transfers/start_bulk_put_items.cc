// StartBulkPutItems: puts the items of files into a table.
#include "api/constraints.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/tables/table_reference.h"
#include "api/transfers/bulk_description.h"
#include "api/transfers/transfer_rules.h"
#include "base/random.h"
#include "base/try.h"

namespace stator {
namespace start_bulk_put_items {
namespace {

struct Plan {
  StartBulkPutItemsRequest request;
  std::string table_name;
  std::string fingerprint;
};

using OutputTypes = std::vector<Choice<BulkOutputType>>;

OutputTypes ReadOutputTypes(const std::vector<std::string>& words) {
  OutputTypes types;
  for (const std::string& word : words) {
    const std::optional<BulkOutputType> type = EnumFromText<BulkOutputType>(word);
    types.push_back(type ? Choice<BulkOutputType>(*type) : Choice<BulkOutputType>::Unknown(word));
  }
  return types;
}

Result<StartBulkPutItemsRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  StartBulkPutItemsRequest request;
  request.table_name = in.String("TableName");
  request.input_s3_configuration = in.Structure<InputS3Configuration>(
      "InputS3Configuration", "InputS3Configuration",
      [](MemberReader& inner, InputS3Configuration& input) {
        input.s3_bucket = inner.String("S3Bucket");
        input.s3_key_prefix = inner.String("S3KeyPrefix");
        input.s3_bucket_owner = inner.String("S3BucketOwner");
        input.input_format = inner.Enum<ExportFormat>("InputFormat");
        input.input_compression_type = inner.Enum<InputCompressionType>("InputCompressionType");
      });
  request.output_s3_configuration =
      in.Structure<OutputS3Configuration>("OutputS3Configuration", "OutputS3Configuration",
                                          [](MemberReader& inner, OutputS3Configuration& output) {
                                            if (const auto words = inner.Strings("OutputType")) {
                                              output.output_type = ReadOutputTypes(*words);
                                            }
                                            output.s3_bucket = inner.String("S3Bucket");
                                            output.s3_key_prefix = inner.String("S3KeyPrefix");
                                            output.s3_bucket_owner = inner.String("S3BucketOwner");
                                          });
  request.client_token = in.String("ClientToken");
  request.max_write_request_units = in.Integer("MaxWriteRequestUnits", "Long");
  request.performance_tier = in.Enum<PerformanceTier>("PerformanceTier");
  return in.Finish(std::move(request));
}

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

Result<StartBulkPutItemsResponse> Start(Engine& engine, Plan plan) {
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

void Execute(Engine& engine, Plan plan, Reply<StartBulkPutItemsResponse> reply) {
  engine.background().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(Start(engine, std::move(plan)));
  });
}

void Encode(const StartBulkPutItemsResponse& response, JsonWriter& out) {
  WriteBulkOperationResponse(out, response.bulk_operation_description);
}

}  // namespace
}  // namespace start_bulk_put_items

constinit const Operation<StartBulkPutItemsRequest, StartBulkPutItemsResponse> kStartBulkPutItems =
    DefineOperation<StartBulkPutItemsRequest, StartBulkPutItemsResponse,
                    start_bulk_put_items::Decode, start_bulk_put_items::Validate,
                    start_bulk_put_items::Execute, start_bulk_put_items::Encode>();

}  // namespace stator
