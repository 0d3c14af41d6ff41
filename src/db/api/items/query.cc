// Query: reads the items of one partition, of a table or an index, in sort key order.
#include <fmt/format.h>

#include <algorithm>

#include "api/consumed_capacity.h"
#include "api/items/key_binding.h"
#include "api/items/page_rules.h"
#include "api/items/write_rules.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "engine/read/read_path.h"

namespace stator {
namespace query {
namespace {

struct Plan {
  PageRequest page;
  std::vector<KeyClause> key_clauses;
  bool forward = true;
  bool legacy_filter = false;  // QueryFilter rather than FilterExpression, for messages
  Wording wording = Wording::kCurrent;
};

Result<void> CheckConstraints(const QueryRequest& request, Wording wording) {
  if (IsCurrent(wording) && request.conditional_operator &&
      !request.conditional_operator->is_known()) {
    return Invalid("Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]");
  }
  Constraints check;
  check.Enum("select", request.select);
  ConstrainQueriedIndex(check, request.index_name);
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  ConstrainFilter(check, "queryFilter", request.query_filter);
  ConstrainTableName(check, request.table_name);
  ConstrainConditionalOperator(check, request.conditional_operator, wording);
  ConstrainAttributesToGet(check, "attributesToGet", request.attributes_to_get);
  // The same in both generations.
  if (request.limit && *request.limit < 1) {
    check.Add(
        "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or "
        "equal to 1");
  }
  ConstrainFilter(check, "keyConditions", request.key_conditions);
  return check.Finish();
}

Result<void> CheckParameters(const QueryRequest& request, Wording wording) {
  const bool has_key_expression = request.key_condition_expression.has_value();
  const bool has_expression = has_key_expression || request.filter_expression.has_value() ||
                              request.projection_expression.has_value();
  // Legacy KeyConditions go together with the newer filters and projections.
  RETURN_IF_ERROR(
      CheckNotMixed({{"AttributesToGet", request.attributes_to_get.has_value()},
                     {"QueryFilter", request.query_filter.has_value()},
                     {"ConditionalOperator", request.conditional_operator.has_value()},
                     {"KeyConditions", request.key_conditions.has_value() && has_key_expression}},
                    {{"ProjectionExpression", request.projection_expression.has_value()},
                     {"FilterExpression", request.filter_expression.has_value()},
                     {"KeyConditionExpression", has_key_expression}}));
  RETURN_IF_ERROR(
      CheckNamesHaveExpression(request.expression_attribute_names.has_value(), has_expression));
  return CheckValuesHaveExpression(request.expression_attribute_values.has_value(),
                                   has_key_expression || request.filter_expression.has_value(),
                                   wording, {"FilterExpression", "KeyConditionExpression"});
}

Result<void> ParseExpressions(const QueryRequest& request, Placeholders& placeholders, Plan& plan) {
  RETURN_IF_ERROR(placeholders.CheckMaps());
  std::optional<ConditionNode> key_condition;
  if (request.key_condition_expression) {
    ASSIGN_OR_RETURN(key_condition,
                     ParseKeyConditionText(*request.key_condition_expression, placeholders));
  }
  if (request.filter_expression) {
    ASSIGN_OR_RETURN(plan.page.filter, Condition::Parse(*request.filter_expression,
                                                        ExpressionKind::kFilter, placeholders));
  }
  if (request.projection_expression) {
    ASSIGN_OR_RETURN(plan.page.projection,
                     Projection::Parse(*request.projection_expression, placeholders));
  }
  if (key_condition) {
    ASSIGN_OR_RETURN(plan.key_clauses, KeyClausesOf(*std::move(key_condition), plan.wording));
  }
  return placeholders.CheckUnused();
}

Result<Plan> Validate(QueryRequest&& request, Engine& engine, Wording wording) {
  RETURN_IF_ERROR(CheckTableNameNotEmpty(request.table_name, wording));
  RETURN_IF_ERROR(CheckConstraints(request, wording));
  Plan plan;
  plan.wording = wording;
  plan.forward = request.scan_index_forward.value_or(true);
  plan.legacy_filter = request.query_filter.has_value();
  plan.page.kind = PageKind::kQueryPage;
  TakePlainMembers(request, plan.page);
  ASSIGN_OR_RETURN(plan.page.table_name, TableNameOf(*request.table_name, engine));
  RETURN_IF_ERROR(CheckParameters(request, wording));
  ASSIGN_OR_RETURN(plan.page.filter,
                   LegacyFilterOf(request.query_filter, request.conditional_operator, wording));
  if (request.attributes_to_get) {
    ASSIGN_OR_RETURN(plan.page.projection, Projection::FromNames(*request.attributes_to_get));
  }
  RETURN_IF_ERROR(CheckStartKeyValues(request.exclusive_start_key, wording));
  if (!request.key_conditions && !request.key_condition_expression) {
    return std::unexpected(Error::Validation(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request."));
  }
  Placeholders placeholders = PlaceholdersOf(request, wording);
  RETURN_IF_ERROR(ParseExpressions(request, placeholders, plan));
  RETURN_IF_ERROR(CheckSelect(plan.page,
                              request.attributes_to_get       ? "AttributesToGet"
                              : request.projection_expression ? "ProjectionExpression"
                                                              : "",
                              wording));
  if (request.key_conditions) {
    ASSIGN_OR_RETURN(plan.key_clauses, KeyClausesFromLegacy(*request.key_conditions, wording));
  }
  return plan;
}

// A table without a sort key has one item for a partition key. Several rows of an index may have the
// same key, whatever its schema.
bool IsForOneItem(const Table& table, const Index* index) {
  return index == nullptr && table.keys.range.empty();
}

Result<void> CannotRestart() {
  return Invalid("The query can return at most one row and cannot be restarted");
}

// An ExclusiveStartKey must lie where the conditions lead.
Result<void> CheckStartMatches(const Plan& plan, const Table& table, const Index* index,
                               const BoundKey& key) {
  if (!plan.page.exclusive_start_key) return {};
  if (IsForOneItem(table, index)) return CannotRestart();
  const ItemView start = plan.page.exclusive_start_key->view();
  const auto satisfied = [&](const KeyClause* clause) { return Satisfies(*clause, start); };
  const bool same_partition = std::ranges::all_of(key.hash, satisfied);
  if (key.range.empty()) {
    if (same_partition) return {};
    return Invalid(
        "The provided starting key is outside query boundaries based on provided conditions");
  }
  if (!std::ranges::all_of(key.range, satisfied)) {
    return Invalid("The provided starting key does not match the range key predicate");
  }
  if (same_partition) return {};
  return CannotRestart();
}

Result<void> CheckFilterAvoidsKeys(const Plan& plan, const KeySchema& keys) {
  if (!plan.page.filter) return {};
  for (const Path& path : plan.page.filter->Paths()) {
    if (path.size() != 1 || keys.Find(path.front().name) == nullptr) continue;
    return Invalid(
        fmt::format("{} can only contain non-primary key attributes: Primary key attribute: {}",
                    plan.legacy_filter ? "QueryFilter" : "Filter Expression", path.front().name));
  }
  return {};
}

Result<QueryResponse> Execute(Engine& engine, Plan&& plan) {
  PagePlan page;
  ASSIGN_OR_RETURN(page.table, engine.FindTable(plan.page.table_name));
  const Table& table = *page.table;
  ASSIGN_OR_RETURN(page.index, FindIndex(plan.page, table));
  const KeySchema& keys = table.KeysOf(page.index);
  RETURN_IF_ERROR(CheckStartShape(plan.page, table, page.index));
  const std::optional<Item>& start = plan.page.exclusive_start_key;
  ASSIGN_OR_RETURN(const BoundKey key,
                   BindKey(keys, plan.key_clauses, start ? &*start : nullptr, plan.wording));
  RETURN_IF_ERROR(CheckStartKey(plan.page, table, page.index));
  RETURN_IF_ERROR(CheckStartMatches(plan, table, page.index, key));
  if (plan.page.projection) {
    RETURN_IF_ERROR(CheckNoNestedKeys(table, plan.page.projection->paths()));
  }
  RETURN_IF_ERROR(CheckFilterAvoidsKeys(plan, keys));
  RETURN_IF_ERROR(CheckIndexProjects(plan.page, page));
  if (plan.page.filter) RETURN_IF_ERROR(CheckNoNestedKeys(table, plan.page.filter->Paths()));

  page.direction = plan.forward ? Direction::kForward : Direction::kReverse;
  page.rows = RowsOf(engine.hasher(), table, page.index, key);
  if (plan.page.exclusive_start_key) {
    StartAfter(page,
               StartRow(engine.hasher(), table, page.index, plan.page.exclusive_start_key->view()));
  }
  const bool one_item = IsForOneItem(table, page.index);
  ASSIGN_OR_RETURN(QueryResponse response,
                   ReadPageResponse(engine, std::move(plan.page), std::move(page)));
  // Nothing can follow, and a start key would be refused.
  if (one_item) response.last_evaluated_key.reset();
  return response;
}

}  // namespace
}  // namespace query

STATOR_DEFINE_OPERATION(Query, query);

}  // namespace stator
