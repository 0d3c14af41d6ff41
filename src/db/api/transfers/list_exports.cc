// ListExports: exports in the order in which they began, page by page.
#include "api/constraints.h"
#include "api/enum_text.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/transfers/transfer_rules.h"
#include "base/try.h"

namespace stator {
namespace list_exports {
namespace {

constexpr std::int64_t kMaxPage = 25;

struct Plan {
  std::optional<std::string> table_arn;
  std::string start_after;  // an id; empty: from the beginning
  std::size_t limit = kMaxPage;
};

Result<ListExportsRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  ListExportsRequest request;
  request.table_arn = in.String("TableArn");
  request.max_results = in.Integer("MaxResults");
  request.next_token = in.String("NextToken");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const ListExportsRequest& request, Engine&, Wording) {
  Constraints check;
  check.AtLeast("maxResults", request.max_results, 1);
  check.AtMost("maxResults", request.max_results, kMaxPage);
  RETURN_IF_ERROR(check.Finish());
  Plan plan;
  plan.table_arn = request.table_arn;
  if (request.next_token) {
    ASSIGN_OR_RETURN(plan.start_after, LastIdOf(*request.next_token));
  }
  if (request.max_results) plan.limit = static_cast<std::size_t>(*request.max_results);
  return plan;
}

Result<ListExportsResponse> Execute(Engine& engine, const Plan& plan) {
  ListExportsResponse response;
  std::string last_id;
  for (const ExportPtr& job : engine.transfers().exports().All()) {
    const ExportDescription& shown = job->shown;
    if (job->id <= plan.start_after || (plan.table_arn && shown.table_arn != *plan.table_arn)) {
      continue;
    }
    if (response.export_summaries.size() == plan.limit) {
      response.next_token = PageToken(last_id);
      break;
    }
    last_id = job->id;
    response.export_summaries.push_back({.export_arn = shown.export_arn,
                                         .export_status = shown.export_status,
                                         .export_type = shown.export_type});
  }
  return response;
}

void Encode(const ListExportsResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("ExportSummaries").BeginArray();
  for (const ExportSummary& summary : response.export_summaries) {
    out.BeginObject();
    out.Key("ExportArn").String(summary.export_arn);
    out.Key("ExportStatus").String(EnumText(summary.export_status));
    out.Key("ExportType").String(EnumText(summary.export_type));
    out.EndObject();
  }
  out.EndArray();
  WriteOptional(out, "NextToken", response.next_token);
  out.EndObject();
}

}  // namespace
}  // namespace list_exports

constinit const Operation<ListExportsRequest, ListExportsResponse> kListExports =
    DefineOperation<ListExportsRequest, ListExportsResponse, list_exports::Decode,
                    list_exports::Validate, list_exports::Execute, list_exports::Encode>();

}  // namespace stator
