// ListTables: names of tables, ascending by bytes, page by page.
#include <algorithm>

#include "api/constraints.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "base/try.h"

namespace stator {
namespace list_tables {
namespace {

constexpr std::int64_t kMaxPage = 100;

struct Plan {
  std::string start_after;  // empty: from the beginning
  std::size_t limit = kMaxPage;
};

Result<ListTablesRequest> Decode(JsonValue body, Wording) {
  MemberReader in(body);
  ListTablesRequest request;
  request.exclusive_start_table_name = in.String("ExclusiveStartTableName");
  request.limit = in.Integer("Limit");
  return in.Finish(std::move(request));
}

Result<Plan> Validate(const ListTablesRequest& request, Engine&, Wording) {
  Constraints check;
  check.Name("exclusiveStartTableName", request.exclusive_start_table_name, {.min_length = 3});
  check.AtLeast("limit", request.limit, 1);
  check.AtMost("limit", request.limit, kMaxPage);
  RETURN_IF_ERROR(check.Finish());
  return Plan{request.exclusive_start_table_name.value_or(""),
              static_cast<std::size_t>(request.limit.value_or(kMaxPage))};
}

void Execute(Engine& engine, Plan plan, Reply<ListTablesResponse> reply) {
  std::vector<std::string> names = engine.catalog().Names();
  const auto begin = std::ranges::upper_bound(names, plan.start_after);
  const auto left = static_cast<std::size_t>(names.end() - begin);
  const auto end = begin + static_cast<std::ptrdiff_t>(std::min(left, plan.limit));
  ListTablesResponse response;
  response.table_names.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
  if (end != names.end()) response.last_evaluated_table_name = response.table_names.back();
  reply(std::move(response));
}

void Encode(const ListTablesResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("TableNames").BeginArray();
  for (const std::string& name : response.table_names) out.String(name);
  out.EndArray();
  if (response.last_evaluated_table_name) {
    out.Key("LastEvaluatedTableName").String(*response.last_evaluated_table_name);
  }
  out.EndObject();
}

}  // namespace
}  // namespace list_tables

constinit const Operation<ListTablesRequest, ListTablesResponse> kListTables =
    DefineOperation<ListTablesRequest, ListTablesResponse, list_tables::Decode,
                    list_tables::Validate, list_tables::Execute, list_tables::Encode>();

}  // namespace stator
