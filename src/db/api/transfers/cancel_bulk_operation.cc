// CancelBulkOperation: stops a bulk operation; what it has put stays.
#include "api/enum_text.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/transfers/bulk_description.h"
#include "api/transfers/transfer_rules.h"
#include "base/try.h"

namespace stator {
namespace cancel_bulk_operation {
namespace {

struct Plan {
  std::string arn;
};

Result<CancelBulkOperationRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  CancelBulkOperationRequest request;
  request.bulk_operation_arn = in.String("BulkOperationArn");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const CancelBulkOperationRequest& request, Engine& engine, Wording) {
  RETURN_IF_ERROR(JobIdOf(request.bulk_operation_arn, kBulkArn, engine));
  return Plan{*request.bulk_operation_arn};
}

// An operation that is over answers with the state in which it ended.
Result<CancelBulkOperationResponse> Cancel(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const BulkPtr known, FindBulkOperation(plan.arn, engine));
  ASSIGN_OR_RETURN(const BulkPtr job, engine.transfers().CancelBulkOperation(known->id));
  return CancelBulkOperationResponse{.bulk_operation_arn = plan.arn,
                                     .bulk_operation_status = job->shown.bulk_operation_status};
}

void Execute(Engine& engine, Plan plan, Reply<CancelBulkOperationResponse> reply) {
  engine.background().Post([&engine, plan = std::move(plan), reply = std::move(reply)]() mutable {
    reply(Cancel(engine, plan));
  });
}

void Encode(const CancelBulkOperationResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("BulkOperationArn").String(response.bulk_operation_arn);
  out.Key("BulkOperationStatus").String(EnumText(response.bulk_operation_status));
  out.EndObject();
}

}  // namespace
}  // namespace cancel_bulk_operation

constinit const Operation<CancelBulkOperationRequest, CancelBulkOperationResponse>
    kCancelBulkOperation =
        DefineOperation<CancelBulkOperationRequest, CancelBulkOperationResponse,
                        cancel_bulk_operation::Decode, cancel_bulk_operation::Validate,
                        cancel_bulk_operation::Execute, cancel_bulk_operation::Encode>();

}  // namespace stator
