// DescribeExport: tells how an export is getting on.
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/transfers/export_description.h"
#include "api/transfers/transfer_rules.h"
#include "base/try.h"

namespace stator {
namespace describe_export {
namespace {

struct Plan {
  std::string arn;
  std::string id;
};

Result<DescribeExportRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  DescribeExportRequest request;
  request.export_arn = in.String("ExportArn");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const DescribeExportRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.id, JobIdOf(request.export_arn, kExportArn, engine));
  plan.arn = *request.export_arn;
  return plan;
}

Result<DescribeExportResponse> Execute(Engine& engine, const Plan& plan) {
  const ExportPtr job = engine.transfers().exports().Find(plan.id);
  if (!job || job->shown.export_arn != plan.arn) {
    return std::unexpected(Error::ExportNotFound(plan.arn));
  }
  return DescribeExportResponse{job->shown};
}

void Encode(const DescribeExportResponse& response, JsonWriter& out) {
  WriteExportResponse(out, response.export_description);
}

}  // namespace
}  // namespace describe_export

constinit const Operation<DescribeExportRequest, DescribeExportResponse> kDescribeExport =
    DefineOperation<DescribeExportRequest, DescribeExportResponse, describe_export::Decode,
                    describe_export::Validate, describe_export::Execute, describe_export::Encode>();

}  // namespace stator
