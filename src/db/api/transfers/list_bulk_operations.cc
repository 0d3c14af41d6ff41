// ListBulkOperations: bulk operations in the order in which they began, page by page.
#include "api/constraints.h"
#include "api/enum_text.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/tables/table_reference.h"
#include "api/transfers/transfer_rules.h"
#include "base/try.h"

namespace stator {
namespace list_bulk_operations {
namespace {

constexpr std::int64_t kMaxPage = 25;

struct Plan {
  std::optional<std::string> table_name;
  std::string start_after;  // an id; empty: from the beginning
  std::size_t limit = kMaxPage;
};

Result<ListBulkOperationsRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  ListBulkOperationsRequest request;
  request.table_name = in.String("TableName");
  request.max_results = in.Integer("MaxResults");
  request.next_token = in.String("NextToken");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const ListBulkOperationsRequest& request, Engine& engine, Wording) {
  Plan plan;
  if (request.table_name) {
    ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  }
  Constraints check;
  check.AtLeast("maxResults", request.max_results, 1);
  check.AtMost("maxResults", request.max_results, kMaxPage);
  RETURN_IF_ERROR(check.Finish());
  if (request.next_token) {
    ASSIGN_OR_RETURN(plan.start_after, LastIdOf(*request.next_token));
  }
  if (request.max_results) plan.limit = static_cast<std::size_t>(*request.max_results);
  return plan;
}

Result<ListBulkOperationsResponse> Execute(Engine& engine, const Plan& plan) {
  ListBulkOperationsResponse response;
  std::string last_id;
  for (const BulkPtr& job : engine.transfers().bulk_operations().All()) {
    const BulkOperationDescription& shown = job->shown;
    if (job->id <= plan.start_after || (plan.table_name && shown.table_name != *plan.table_name)) {
      continue;
    }
    if (response.bulk_operations_summary_list.size() == plan.limit) {
      response.next_token = PageToken(last_id);
      break;
    }
    last_id = job->id;
    response.bulk_operations_summary_list.push_back(
        {.bulk_operation_arn = shown.bulk_operation_arn,
         .bulk_operation_status = shown.bulk_operation_status,
         .start_ms = shown.start_ms,
         .end_ms = shown.end_ms});
  }
  return response;
}

void Encode(const ListBulkOperationsResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("BulkOperationsSummaryList").BeginArray();
  for (const BulkOperationSummary& summary : response.bulk_operations_summary_list) {
    out.BeginObject();
    out.Key("BulkOperationArn").String(summary.bulk_operation_arn);
    out.Key("BulkOperationStatus").String(EnumText(summary.bulk_operation_status));
    out.Key("StartTime").TimestampMs(summary.start_ms);
    if (summary.end_ms) out.Key("EndTime").TimestampMs(*summary.end_ms);
    out.EndObject();
  }
  out.EndArray();
  WriteOptional(out, "NextToken", response.next_token);
  out.EndObject();
}

}  // namespace
}  // namespace list_bulk_operations

constinit const Operation<ListBulkOperationsRequest, ListBulkOperationsResponse>
    kListBulkOperations =
        DefineOperation<ListBulkOperationsRequest, ListBulkOperationsResponse,
                        list_bulk_operations::Decode, list_bulk_operations::Validate,
                        list_bulk_operations::Execute, list_bulk_operations::Encode>();

}  // namespace stator
