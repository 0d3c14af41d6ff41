// DescribeContinuousBackups: tells to which times a table can be restored.
#include "api/backups/continuous_backups.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/tables/table_reference.h"
#include "base/try.h"

namespace stator {
namespace describe_continuous_backups {
namespace {

struct Plan {
  std::string table_name;
};

Result<DescribeContinuousBackupsRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  DescribeContinuousBackupsRequest request;
  request.table_name = in.String("TableName");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const DescribeContinuousBackupsRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  return plan;
}

Result<DescribeContinuousBackupsResponse> Execute(Engine& engine, const Plan& plan) {
  ASSIGN_OR_RETURN(const TablePtr table, FindBackedUpTable(plan.table_name, engine));
  return DescribeContinuousBackups(*table, engine.clock().Now());
}

void Encode(const DescribeContinuousBackupsResponse& response, JsonWriter& out) {
  WriteContinuousBackups(out, response);
}

}  // namespace
}  // namespace describe_continuous_backups

constinit const Operation<DescribeContinuousBackupsRequest, DescribeContinuousBackupsResponse>
    kDescribeContinuousBackups =
        DefineOperation<DescribeContinuousBackupsRequest, DescribeContinuousBackupsResponse,
                        describe_continuous_backups::Decode, describe_continuous_backups::Validate,
                        describe_continuous_backups::Execute,
                        describe_continuous_backups::Encode>();

}  // namespace stator
