// What Query and Scan have in common: which attributes come back, where a page starts, how it is
// answered. Their requests spell these members alike, so the rules are templates over the request.
#ifndef STATOR_API_ITEMS_PAGE_RULES_H_
#define STATOR_API_ITEMS_PAGE_RULES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/request_rules.h"
#include "base/try.h"
#include "base/wording.h"
#include "engine/engine.h"
#include "engine/read/read_path.h"
#include "expr/condition.h"
#include "expr/projection.h"
#include "stator/operations.h"
#include "stator/result.h"

namespace stator {

enum class PageKind : std::uint8_t { kQueryPage, kScanPage };

// A checked Query or Scan, before its table is known.
struct PageRequest {
  PageKind kind = PageKind::kQueryPage;
  std::string table_reference;  // as sent
  std::string table_name;
  std::optional<std::string> index_name;
  std::optional<Select> select;
  std::optional<std::int64_t> limit;
  bool consistent = false;
  std::optional<Item> exclusive_start_key;
  std::optional<Condition> filter;
  std::optional<Projection> projection;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

// Members whose meaning is the same in both.
template <class Request>
void TakePlainMembers(const Request& request, PageRequest& page) {
  page.table_reference = *request.table_name;
  page.index_name = request.index_name;
  if (request.select) page.select = request.select->value();
  page.limit = request.limit;
  page.consistent = request.consistent_read.value_or(false);
  page.exclusive_start_key = request.exclusive_start_key;
  page.capacity = CapacityMode(request.return_consumed_capacity);
}

void ConstrainQueriedIndex(Constraints& check, const std::optional<std::string>& name);
void ConstrainFilter(Constraints& check, std::string_view member,
                     const std::optional<LegacyConditionMap>& filter);

// QueryFilter or ScanFilter as a condition; the rule for ConditionalOperator included.
Result<std::optional<Condition>> LegacyFilterOf(
    const std::optional<LegacyConditionMap>& filter,
    const std::optional<Choice<ConditionalOperator>>& conditional_operator, Wording wording);

// Values inside an ExclusiveStartKey: most of their problems say where they were.
Result<void> CheckStartKeyValues(const std::optional<Item>& key, Wording wording);

// Whether Select and the projection go together. `projection_parameter`: the one given, if any.
Result<void> CheckSelect(const PageRequest& page, std::string_view projection_parameter,
                         Wording wording);

// An index that exists; null otherwise.
const Index* FindMaintainedIndex(const Table& table, std::string_view name);
// "Cannot read from backfilling global secondary index: {name}"
Result<void> CheckNotBackfilling(const Index& index);
// The index the request names; null for the table itself.
Result<const Index*> FindIndex(const PageRequest& page, const Table& table);

// Whether the index holds what is asked for; a local index may complete its rows from the table,
// which `plan.fetch_from_table` then says. Filters never see more than the index holds.
Result<void> CheckIndexProjects(const PageRequest& page, PagePlan& plan);

// An ExclusiveStartKey, in three steps with other checks between them. Its shape: exactly the key
// attributes of the table and of the index.
Result<void> CheckStartShape(const PageRequest& page, const Table& table, const Index* index);
// The type of one key attribute of the table or index that is read. `start` is null without a key.
// REQUIRES: CheckStartShape passed.
Result<void> CheckStartPiece(const KeyAttribute& attribute, const Item* start);
// All the rest.
Result<void> CheckStartKey(const PageRequest& page, const Table& table, const Index* index);

// The row of an ExclusiveStartKey. REQUIRES: the three checks passed.
std::string StartRow(const KeyHasher& hasher, const Table& table, const Index* index, ItemView key);
// Lets the range begin behind the row, or end before it when it is read in reverse.
void StartAfter(PagePlan& plan, const std::string& row);

// Reads the page. Bounds that contradict each other are an empty range.
Result<ItemPage> ReadRows(const Engine& engine, PagePlan& plan);
// What reading a page costs: `index` is null for the table itself, `units` are those of the rows
// that were evaluated, `fetched_units` those of rows completed from the table.
ConsumedCapacity PageCapacity(std::string table_reference, const Index* index, double units,
                              double fetched_units, ReturnConsumedCapacity mode);

// Reads the page and shapes the answer.
Result<PageResponse> ReadPageResponse(Engine& engine, PageRequest request, PagePlan plan);

}  // namespace stator

#endif  // STATOR_API_ITEMS_PAGE_RULES_H_
