// DescribeBulkOperation: tells how a bulk operation is getting on.
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/transfers/bulk_description.h"
#include "api/transfers/transfer_rules.h"
#include "base/try.h"

namespace stator {
namespace describe_bulk_operation {
namespace {

struct Plan {
  std::string arn;
};

Result<DescribeBulkOperationRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  DescribeBulkOperationRequest request;
  request.bulk_operation_arn = in.String("BulkOperationArn");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const DescribeBulkOperationRequest& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(JobIdOf(request.bulk_operation_arn, kBulkArn, engine));
  return Plan{*request.bulk_operation_arn};
}

Result<DescribeBulkOperationResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const BulkPtr job, FindBulkOperation(plan.arn, engine));
  return DescribeBulkOperationResponse{job->shown};
}

void Encode(const DescribeBulkOperationResponse& response, JsonWriter& out) {
  WriteBulkOperationResponse(out, response.bulk_operation_description);
}

}  // namespace
}  // namespace describe_bulk_operation

constinit const Operation<DescribeBulkOperationRequest, DescribeBulkOperationResponse>
    kDescribeBulkOperation =
        DefineOperation<DescribeBulkOperationRequest, DescribeBulkOperationResponse,
                        describe_bulk_operation::Decode, describe_bulk_operation::Validate,
                        describe_bulk_operation::Execute, describe_bulk_operation::Encode>();

}  // namespace stator
