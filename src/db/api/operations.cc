#include "api/operations.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace stator {
namespace {

// DynamoDB's wording of October 2026 (docs/compatibility.md).
constexpr Wording WordingOf(std::string_view operation) {
  for (const std::string_view name : {"BatchGetItem", "GetItem", "Query"}) {
    if (operation == name) return Wording::kCurrent;
  }
  for (const std::string_view name : {"DeleteItem", "PutItem", "UpdateItem"}) {
    if (operation == name) return Wording::kEnveloped;
  }
  return Wording::kClassic;
}

constexpr bool Reads(std::string_view operation) {
  for (const std::string_view name :
       {"BatchExecuteStatement", "BatchGetItem", "ExecuteStatement", "ExecuteTransaction",
        "GetRecords", "GetShardIterator", "DescribeStream", "Query", "Scan",
        "TransactGetItems"}) {
    if (operation == name) return true;
  }
  return false;
}

constexpr bool ReadsMany(std::string_view operation) {
  return operation.starts_with("Batch") || operation == "TransactGetItems" ||
         operation == "ExecuteTransaction";
}

constexpr OperationRow kRows[] = {
#define STATOR_ROW(Name) \
  {#Name, WordingOf(#Name), &k##Name.run_json, Reads(#Name), ReadsMany(#Name)},
    STATOR_OPERATIONS(STATOR_ROW)
#undef STATOR_ROW
};
static_assert(std::ranges::is_sorted(kRows, {}, &OperationRow::name));

// Operations of DynamoDB that Stator does not have, as in docs/compatibility.md.
constexpr std::string_view kUnsupported[] = {
    "CreateGlobalTable",
    "DeleteResourcePolicy",
    "DescribeContributorInsights",
    "DescribeGlobalTable",
    "DescribeGlobalTableSettings",
    "DescribeKinesisStreamingDestination",
    "DescribeTableReplicaAutoScaling",
    "DisableKinesisStreamingDestination",
    "EnableKinesisStreamingDestination",
    "GetResourcePolicy",
    "ListContributorInsights",
    "ListGlobalTables",
    "PutResourcePolicy",
    "SearchVectors",
    "UpdateContributorInsights",
    "UpdateGlobalTable",
    "UpdateGlobalTableSettings",
    "UpdateKinesisStreamingDestination",
    "UpdateTableReplicaAutoScaling",
};
static_assert(std::ranges::is_sorted(kUnsupported));
// The 62 operations of DynamoDB and the 4 of its streams.
static_assert(std::size(kRows) + std::size(kUnsupported) == 62 + 4);

}  // namespace

const OperationRow* FindOperation(std::string_view name) {
  const auto* row = std::ranges::lower_bound(kRows, name, {}, &OperationRow::name);
  return row != std::end(kRows) && row->name == name ? row : nullptr;
}

Error UnknownOperation(std::string_view name) {
  if (!std::ranges::binary_search(kUnsupported, name)) return Error::UnknownOperation();
  return Error::UnknownOperation(
      fmt::format("{} is an operation of Amazon DynamoDB that Stator does not support; "
                  "docs/compatibility.md says why, and what is supported",
                  name));
}

}  // namespace stator
