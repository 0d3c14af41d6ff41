// What belongs to an account in a region: its tables, its limits, its endpoint.
#include <algorithm>

#include "api/constraints.h"
#include "api/operations.h"
#include "base/try.h"

namespace stator {

// ListTables: names of tables, ascending by bytes, page by page.
namespace list_tables {
namespace {

constexpr std::int64_t kMaxPage = 100;

struct Plan {
  std::string start_after;  // empty: from the beginning
  std::size_t limit = kMaxPage;
};

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
  if (Result<void> learnt = engine.BringCatalogUpToDate(); !learnt) {
    return reply(std::unexpected(std::move(learnt).error()));
  }
  std::vector<std::string> names = engine.catalog().Names();
  const auto begin = std::ranges::upper_bound(names, plan.start_after);
  const auto left = static_cast<std::size_t>(names.end() - begin);
  const auto end = begin + static_cast<std::ptrdiff_t>(std::min(left, plan.limit));
  ListTablesResponse response;
  response.table_names.assign(std::make_move_iterator(begin), std::make_move_iterator(end));
  if (end != names.end()) response.last_evaluated_table_name = response.table_names.back();
  reply(std::move(response));
}

}  // namespace
}  // namespace list_tables

STATOR_DEFINE_OPERATION(ListTables, list_tables);

// DescribeLimits: the capacity that an account and a table may have.
namespace describe_limits {
namespace {

struct Plan {};

Result<Plan> Validate(const DescribeLimitsRequest&, Engine&, Wording) { return Plan{}; }

void Execute(Engine&, Plan, Reply<DescribeLimitsResponse> reply) {
  reply(DescribeLimitsResponse{});
}

}  // namespace
}  // namespace describe_limits

STATOR_DEFINE_OPERATION(DescribeLimits, describe_limits);

// DescribeEndpoints: where the service of the region answers.
namespace describe_endpoints {
namespace {

struct Plan {};

Result<Plan> Validate(const DescribeEndpointsRequest&, Engine&, Wording) { return Plan{}; }

void Execute(Engine& engine, Plan, Reply<DescribeEndpointsResponse> reply) {
  DescribeEndpointsResponse response;
  response.address = "dynamodb." + engine.region() + ".amazonaws.com";
  reply(std::move(response));
}

}  // namespace
}  // namespace describe_endpoints

STATOR_DEFINE_OPERATION(DescribeEndpoints, describe_endpoints);

}  // namespace stator
