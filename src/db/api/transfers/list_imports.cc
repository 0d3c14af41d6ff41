// ListImports: imports in the order in which they began, page by page.
#include "api/constraints.h"
#include "api/enum_text.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/transfers/transfer_rules.h"
#include "base/try.h"

namespace stator {
namespace list_imports {
namespace {

constexpr std::int64_t kMaxPage = 25;

struct Plan {
  std::optional<std::string> table_arn;
  std::string start_after;  // an id; empty: from the beginning
  std::size_t limit = kMaxPage;
};

Result<ListImportsRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  ListImportsRequest request;
  request.table_arn = in.String("TableArn");
  request.page_size = in.Integer("PageSize");
  request.next_token = in.String("NextToken");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const ListImportsRequest& request, Engine&, Wording) {
  Constraints check;
  check.AtLeast("pageSize", request.page_size, 1);
  check.AtMost("pageSize", request.page_size, kMaxPage);
  RETURN_IF_ERROR(check.Finish());
  Plan plan;
  plan.table_arn = request.table_arn;
  if (request.next_token) {
    ASSIGN_OR_RETURN(plan.start_after, LastIdOf(*request.next_token));
  }
  if (request.page_size) plan.limit = static_cast<std::size_t>(*request.page_size);
  return plan;
}

Result<ListImportsResponse> Execute(Engine& engine, const Plan& plan) {
  ListImportsResponse response;
  std::string last_id;
  for (const ImportPtr& job : engine.transfers().imports().All()) {
    const ImportTableDescription& shown = job->shown;
    if (job->id <= plan.start_after || (plan.table_arn && shown.table_arn != *plan.table_arn)) {
      continue;
    }
    if (response.import_summary_list.size() == plan.limit) {
      response.next_token = PageToken(last_id);
      break;
    }
    last_id = job->id;
    response.import_summary_list.push_back({.import_arn = shown.import_arn,
                                            .import_status = shown.import_status,
                                            .table_arn = shown.table_arn,
                                            .s3_bucket_source = shown.s3_bucket_source,
                                            .input_format = shown.input_format,
                                            .start_ms = shown.start_ms,
                                            .end_ms = shown.end_ms});
  }
  return response;
}

void Encode(const ListImportsResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("ImportSummaryList").BeginArray();
  for (const ImportSummary& summary : response.import_summary_list) {
    out.BeginObject();
    out.Key("ImportArn").String(summary.import_arn);
    out.Key("ImportStatus").String(EnumText(summary.import_status));
    out.Key("TableArn").String(summary.table_arn);
    out.Key("S3BucketSource");
    WriteBucketSource(out, summary.s3_bucket_source);
    out.Key("InputFormat").String(EnumText(summary.input_format));
    out.Key("StartTime").TimestampMs(summary.start_ms);
    if (summary.end_ms) out.Key("EndTime").TimestampMs(*summary.end_ms);
    out.EndObject();
  }
  out.EndArray();
  WriteOptional(out, "NextToken", response.next_token);
  out.EndObject();
}

}  // namespace
}  // namespace list_imports

constinit const Operation<ListImportsRequest, ListImportsResponse> kListImports =
    DefineOperation<ListImportsRequest, ListImportsResponse, list_imports::Decode,
                    list_imports::Validate, list_imports::Execute, list_imports::Encode>();

}  // namespace stator
