// DescribeImport: tells how an import is getting on.
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/transfers/import_description.h"
#include "api/transfers/transfer_rules.h"
#include "base/try.h"

namespace stator {
namespace describe_import {
namespace {

struct Plan {
  std::string arn;
  std::string id;
};

Result<DescribeImportRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  DescribeImportRequest request;
  request.import_arn = in.String("ImportArn");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const DescribeImportRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.id, JobIdOf(request.import_arn, kImportArn, engine));
  plan.arn = *request.import_arn;
  return plan;
}

Result<DescribeImportResponse> Execute(Engine& engine, const Plan& plan) {
  const ImportPtr job = engine.transfers().imports().Find(plan.id);
  if (!job || job->shown.import_arn != plan.arn) {
    return std::unexpected(Error::ImportNotFound(plan.arn));
  }
  return DescribeImportResponse{Describe(*job)};
}

void Encode(const DescribeImportResponse& response, JsonWriter& out) {
  WriteImportResponse(out, response.import_table_description);
}

}  // namespace
}  // namespace describe_import

constinit const Operation<DescribeImportRequest, DescribeImportResponse> kDescribeImport =
    DefineOperation<DescribeImportRequest, DescribeImportResponse, describe_import::Decode,
                    describe_import::Validate, describe_import::Execute, describe_import::Encode>();

}  // namespace stator
