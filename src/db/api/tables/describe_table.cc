// DescribeTable: tells about a table.
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/tables/table_description.h"
#include "api/tables/table_reference.h"
#include "base/try.h"

namespace stator {
namespace describe_table {
namespace {

struct Plan {
  std::string table_name;
};

Result<DescribeTableRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  DescribeTableRequest request;
  request.table_name = in.String("TableName");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const DescribeTableRequest& request, Engine& engine, Wording) {
  Plan plan;
  ASSIGN_OR_RETURN(plan.table_name, RequiredTableName(request.table_name, engine));
  return plan;
}

void Execute(Engine& engine, Plan plan, Reply<DescribeTableResponse> reply) {
  const TablePtr table = engine.catalog().Find(plan.table_name);
  if (!table) return reply(std::unexpected(TableNotFound(plan.table_name)));
  reply(DescribeTableResponse{Describe(*table, engine.clock().Now())});
}

void Encode(const DescribeTableResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Table");
  WriteTableDescription(out, response.table);
  out.EndObject();
}

}  // namespace
}  // namespace describe_table

constinit const Operation<DescribeTableRequest, DescribeTableResponse> kDescribeTable =
    DefineOperation<DescribeTableRequest, DescribeTableResponse, describe_table::Decode,
                    describe_table::Validate, describe_table::Execute, describe_table::Encode>();

}  // namespace stator
