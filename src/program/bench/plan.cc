#include "bench/plan.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "base/try.h"

namespace stator::bench {
namespace {

constexpr std::size_t kItemBytes = 1024;
constexpr std::size_t kQueryItemBytes = 300;
constexpr std::string_view kDefaultRegion = "us-east-1";

std::string Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string_view DefaultTable(TableKind kind) {
  switch (kind) {
    case TableKind::kItems:
      return "stator-bench-items";
    case TableKind::kIndexed:
      return "stator-bench-indexed";
    case TableKind::kRanges:
      return "stator-bench-ranges";
  }
  return {};
}

DataPlan DataOf(const Workload& workload, const Options& options) {
  DataPlan data;
  data.table = workload.table;
  data.table_name = options.table.empty() ? DefaultTable(data.table) : options.table;
  const bool is_range = data.table == TableKind::kRanges;
  const std::size_t item_bytes = options.item_bytes > 0 ? options.item_bytes
                                 : is_range             ? kQueryItemBytes
                                                        : kItemBytes;
  data.shape = ShapeOf(data.table, item_bytes, options.attributes);
  data.items = options.items;
  data.query_items = options.query_items;
  data.partition_items =
      options.partition_items > 0 ? options.partition_items : options.query_items;
  return data;
}

std::string RegionFor(const http::Url& endpoint) {
  const std::string_view in_name = http::RegionOfHost(endpoint.host);
  if (!in_name.empty()) return std::string(in_name);
  for (const char* name : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    if (std::string region = Variable(name); !region.empty()) return region;
  }
  return std::string(kDefaultRegion);
}

// Requests to other machines are signed if there are credentials; others only if that is wanted.
std::expected<std::optional<RequestSigner>, std::string> SignerFor(const http::Url& endpoint,
                                                                   bool wanted) {
  if (endpoint.is_loopback && !wanted) return std::nullopt;
  SigningCredentials credentials{.access_key_id = Variable("AWS_ACCESS_KEY_ID"),
                                 .secret_access_key = Variable("AWS_SECRET_ACCESS_KEY"),
                                 .session_token = Variable("AWS_SESSION_TOKEN")};
  if (credentials.access_key_id.empty() || credentials.secret_access_key.empty()) {
    if (!wanted) return std::nullopt;
    return std::unexpected("--sign needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
  }
  return RequestSigner(std::move(credentials), RegionFor(endpoint), "dynamodb");
}

std::expected<http::Url, std::string> ParseEndpoint(std::string_view url) {
  if (url.starts_with("https://")) {
    return std::unexpected(
        "https:// is not supported: the load generator speaks plain HTTP only, so that TLS is not "
        "what is measured. AWS answers at http://dynamodb.REGION.amazonaws.com too");
  }
  return http::ParseUrl(url);
}

}  // namespace

std::expected<Plan, std::string> MakePlan(const Options& options) {
  Plan plan;
  plan.workload = FindWorkload(options.workload);
  if (plan.workload == nullptr) {
    return std::unexpected("'" + options.workload + "' is not a workload");
  }
  plan.keys = options.keys.value_or(plan.workload->keys);
  plan.data = DataOf(*plan.workload, options);
  if (plan.data.partition_items < plan.data.query_items) {
    return std::unexpected("a query cannot return more items than a partition has");
  }
  if (plan.data.shape.has_sort_key && plan.data.items % plan.data.partition_items != 0) {
    return std::unexpected("the items must fill whole partitions");
  }
  ASSIGN_OR_RETURN(plan.endpoint, ParseEndpoint(options.endpoint));
  ASSIGN_OR_RETURN(const auto addresses, http::Resolve(plan.endpoint));
  plan.address = addresses.front();
  ASSIGN_OR_RETURN(plan.signer, SignerFor(plan.endpoint, options.sign));
  plan.connections = options.connections;
  const int half = static_cast<int>(std::thread::hardware_concurrency() / 2);
  plan.threads = std::clamp(options.threads > 0 ? options.threads : half, 1, options.connections);
  return plan;
}

}  // namespace stator::bench
