// Scan: reads all items of a table or an index, or one of several equal segments of them.
#include <fmt/format.h>

#include "api/consumed_capacity.h"
#include "api/items/page_rules.h"
#include "api/items/write_rules.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "engine/catalog/row_key.h"

namespace stator {
namespace scan {
namespace {

struct Plan {
  PageRequest page;
  std::uint64_t segment = 0;
  std::uint64_t total_segments = 1;
};

Result<void> CheckConstraints(const ScanRequest& request, Wording wording) {
  Constraints check;
  check.Enum("select", request.select);
  ConstrainQueriedIndex(check, request.index_name);
  check.AtLeast("totalSegments", request.total_segments, 1);
  check.AtMost("totalSegments", request.total_segments, 1'000'000);
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  ConstrainTableName(check, request.table_name);
  ConstrainConditionalOperator(check, request.conditional_operator, wording);
  ConstrainFilter(check, "scanFilter", request.scan_filter);
  check.AtLeast("segment", request.segment, 0);
  check.AtMost("segment", request.segment, 999'999);
  check.AtLeast("limit", request.limit, 1);
  ConstrainAttributesToGet(check, "attributesToGet", request.attributes_to_get);
  return check.Finish();
}

Result<void> CheckParameters(const ScanRequest& request, Wording wording) {
  const bool has_filter = request.filter_expression.has_value();
  RETURN_IF_ERROR(
      CheckNotMixed({{"AttributesToGet", request.attributes_to_get.has_value()},
                     {"ScanFilter", request.scan_filter.has_value()},
                     {"ConditionalOperator", request.conditional_operator.has_value()}},
                    {{"ProjectionExpression", request.projection_expression.has_value()},
                     {"FilterExpression", has_filter}}));
  RETURN_IF_ERROR(
      CheckNamesHaveExpression(request.expression_attribute_names.has_value(),
                               has_filter || request.projection_expression.has_value()));
  return CheckValuesHaveExpression(request.expression_attribute_values.has_value(), has_filter,
                                   wording, {"FilterExpression"});
}

Result<void> CheckSegment(const ScanRequest& request, Plan& plan) {
  if (request.segment && !request.total_segments) {
    return Invalid(
        "The TotalSegments parameter is required but was not present in the request when Segment "
        "parameter is present");
  }
  if (!request.segment && request.total_segments) {
    return Invalid(
        "The Segment parameter is required but was not present in the request when parameter "
        "TotalSegments is present");
  }
  if (!request.segment) return {};
  if (*request.segment >= *request.total_segments) {
    return Invalid(
        fmt::format("The Segment parameter is zero-based and must be less than parameter "
                    "TotalSegments: Segment: {} is not less than TotalSegments: {}",
                    *request.segment, *request.total_segments));
  }
  plan.segment = static_cast<std::uint64_t>(*request.segment);
  plan.total_segments = static_cast<std::uint64_t>(*request.total_segments);
  return {};
}

Result<void> ParseExpressions(const ScanRequest& request, Placeholders& placeholders, Plan& plan) {
  RETURN_IF_ERROR(placeholders.CheckMaps());
  if (request.filter_expression) {
    ASSIGN_OR_RETURN(plan.page.filter, Condition::Parse(*request.filter_expression,
                                                        ExpressionKind::kFilter, placeholders));
  }
  if (request.projection_expression) {
    ASSIGN_OR_RETURN(plan.page.projection,
                     Projection::Parse(*request.projection_expression, placeholders));
  }
  return placeholders.CheckUnused();
}

Result<Plan> Validate(ScanRequest&& request, Engine& engine, Wording wording) {
  RETURN_IF_ERROR(CheckTableNameNotEmpty(request.table_name, wording));
  RETURN_IF_ERROR(CheckConstraints(request, wording));
  Plan plan;
  plan.page.kind = PageKind::kScanPage;
  TakePlainMembers(request, plan.page);
  ASSIGN_OR_RETURN(plan.page.table_name, TableNameOf(*request.table_name, engine));
  RETURN_IF_ERROR(CheckParameters(request, wording));
  if (request.attributes_to_get) {
    ASSIGN_OR_RETURN(plan.page.projection, Projection::FromNames(*request.attributes_to_get));
  }
  ASSIGN_OR_RETURN(plan.page.filter,
                   LegacyFilterOf(request.scan_filter, request.conditional_operator, wording));
  RETURN_IF_ERROR(CheckStartKeyValues(request.exclusive_start_key, wording));
  RETURN_IF_ERROR(CheckSegment(request, plan));
  Placeholders placeholders = PlaceholdersOf(request, wording);
  RETURN_IF_ERROR(ParseExpressions(request, placeholders, plan));
  RETURN_IF_ERROR(CheckSelect(plan.page,
                              request.attributes_to_get       ? "AttributesToGet"
                              : request.projection_expression ? "ProjectionExpression"
                                                              : "",
                              wording));
  return plan;
}

Result<void> CheckStartPieces(const KeySchema& schema, const Item& start) {
  for (const auto* attributes : {&schema.hash, &schema.range}) {
    for (const KeyAttribute& attribute : *attributes) {
      RETURN_IF_ERROR(CheckStartPiece(attribute, &start));
    }
  }
  return {};
}

Result<ScanResponse> Execute(Engine& engine, Plan&& plan) {
  PagePlan page;
  ASSIGN_OR_RETURN(page.table, engine.FindTable(plan.page.table_name));
  const Table& table = *page.table;
  ASSIGN_OR_RETURN(page.index, FindIndex(plan.page, table));
  RETURN_IF_ERROR(CheckStartShape(plan.page, table, page.index));
  if (page.index != nullptr && plan.page.exclusive_start_key) {
    RETURN_IF_ERROR(CheckStartPieces(page.index->keys, *plan.page.exclusive_start_key));
  }
  RETURN_IF_ERROR(CheckIndexProjects(plan.page, page));
  RETURN_IF_ERROR(CheckStartKey(plan.page, table, page.index));

  page.rows = SegmentRows(table.number, page.index ? page.index->number : IndexNumber{0},
                          plan.segment, plan.total_segments);
  if (plan.page.exclusive_start_key) {
    const std::string row =
        StartRow(engine.hasher(), table, page.index, plan.page.exclusive_start_key->view());
    if (row < page.rows.begin || row >= page.rows.end) {
      return std::unexpected(Error::Validation(
          fmt::format("The provided starting key is invalid: Invalid ExclusiveStartKey. Please use "
                      "ExclusiveStartKey with correct Segment. TotalSegments: {} Segment: {}",
                      plan.total_segments, plan.segment)));
    }
    StartAfter(page, row);
  }
  if (plan.page.projection) {
    RETURN_IF_ERROR(CheckNoNestedKeys(table, plan.page.projection->paths()));
  }
  if (plan.page.filter) RETURN_IF_ERROR(CheckNoNestedKeys(table, plan.page.filter->Paths()));
  return ReadPageResponse(engine, std::move(plan.page), std::move(page));
}

}  // namespace
}  // namespace scan

STATOR_DEFINE_OPERATION(Scan, scan);

}  // namespace stator
