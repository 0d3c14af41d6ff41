// DescribeTimeToLive: tells by which attribute items of a table expire.
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/tables/table_description.h"
#include "api/tables/table_reference.h"
#include "base/try.h"

namespace stator {
namespace describe_time_to_live {
namespace {

struct Plan {
  std::string table_name;
};

Result<DescribeTimeToLiveRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  DescribeTimeToLiveRequest request;
  request.table_name = in.String("TableName");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const DescribeTimeToLiveRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  return plan;
}

std::string StatusText(TimeToLiveStatus status) {
  switch (status) {
    case TimeToLiveStatus::kEnabling:
      return "ENABLING";
    case TimeToLiveStatus::kEnabled:
      return "ENABLED";
    case TimeToLiveStatus::kDisabling:
      return "DISABLING";
  }
  return "DISABLED";
}

Result<DescribeTimeToLiveResponse> Execute(Engine& engine, Plan plan) {
  const TablePtr table = engine.catalog().Find(plan.table_name);
  if (!table) return std::unexpected(TableNotFound(plan.table_name));
  if (!table->time_to_live) return DescribeTimeToLiveResponse{.status = "DISABLED"};
  return DescribeTimeToLiveResponse{.status = StatusText(table->time_to_live->status),
                                    .attribute_name = table->time_to_live->attribute};
}

void Encode(const DescribeTimeToLiveResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("TimeToLiveDescription").BeginObject();
  out.Key("TimeToLiveStatus").String(response.status);
  if (response.attribute_name) out.Key("AttributeName").String(*response.attribute_name);
  out.EndObject();
  out.EndObject();
}

}  // namespace
}  // namespace describe_time_to_live

constinit const Operation<DescribeTimeToLiveRequest, DescribeTimeToLiveResponse>
    kDescribeTimeToLive =
        DefineOperation<DescribeTimeToLiveRequest, DescribeTimeToLiveResponse,
                        describe_time_to_live::Decode, describe_time_to_live::Validate,
                        describe_time_to_live::Execute, describe_time_to_live::Encode>();

}  // namespace stator
