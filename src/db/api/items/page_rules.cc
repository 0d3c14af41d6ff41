#include "api/items/page_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "api/consumed_capacity.h"
#include "capacity/units.h"
#include "engine/catalog/row_key.h"
#include "value/item_json.h"
#include "value/value_problem.h"

namespace stator {
namespace {

constexpr std::string_view kBadStart = "The provided starting key is invalid";
constexpr std::string_view kMismatch = "The provided key element does not match the schema";

std::string_view SelectText(Select select) {
  switch (select) {
    case Select::kAllAttributes:
      return "ALL_ATTRIBUTES";
    case Select::kAllProjectedAttributes:
      return "ALL_PROJECTED_ATTRIBUTES";
    case Select::kSpecificAttributes:
      return "SPECIFIC_ATTRIBUTES";
    case Select::kCount:
      return "only the Count";
  }
  return "";
}

// Key attributes of the table and the index, each once.
std::vector<const KeyAttribute*> PositionAttributes(const Table& table, const Index* index) {
  std::vector<const KeyAttribute*> attributes;
  const auto add = [&](const std::vector<KeyAttribute>& keys) {
    for (const KeyAttribute& key : keys) {
      const bool known = std::ranges::any_of(
          attributes, [&](const KeyAttribute* other) { return other->name == key.name; });
      if (!known) attributes.push_back(&key);
    }
  };
  add(table.KeysOf(index).hash);
  add(table.KeysOf(index).range);
  add(table.keys.hash);
  add(table.keys.range);
  return attributes;
}

// Top-level names in written order that the index entry lacks.
std::vector<std::string> Unprojected(const std::vector<Path>& paths, const Index& index) {
  std::vector<std::string> missing;
  std::set<std::string> seen;
  for (const Path& path : paths) {
    const std::string& name = path.front().name;
    if (!index.Projects(name) && seen.insert(name).second) missing.push_back(name);
  }
  return missing;
}

// A Query is not filtered by what the index does not hold. A Scan is: there the attribute is missing.
Result<void> CheckFilterProjected(const PageRequest& page, const Index& index) {
  if (page.kind == PageKind::kScanPage || !page.filter) return {};
  std::vector<std::string> missing = Unprojected(page.filter->Paths(), index);
  if (missing.empty()) return {};
  std::ranges::sort(missing);
  return Invalid(
      fmt::format("{}Secondary index {} does not project one or more filter attributes: [{}]",
                  kInvalidValues, index.name, fmt::join(missing, ", ")));
}

}  // namespace

void ConstrainQueriedIndex(Constraints& check, const std::optional<std::string>& name) {
  if (name) check.Name("indexName", name, {.min_length = 3, .max_length = 255});
}

void ConstrainFilter(Constraints& check, std::string_view member,
                     const std::optional<LegacyConditionMap>& filter) {
  if (!filter) return;
  for (const auto& [name, condition] : *filter) {
    const std::string path = fmt::format("{}.{}.member.comparisonOperator", member, name);
    check.NotNull(path, condition.comparison_operator);
    check.Enum(path, condition.comparison_operator);
  }
}

Result<std::optional<Condition>> LegacyFilterOf(
    const std::optional<LegacyConditionMap>& filter,
    const std::optional<Choice<ConditionalOperator>>& conditional_operator, Wording wording) {
  const std::size_t conditions = filter ? filter->size() : 0;
  RETURN_IF_ERROR(CheckConditionalOperator(conditional_operator.has_value(), conditions));
  if (conditions == 0) return std::nullopt;
  const ConditionalOperator joined =
      conditional_operator ? conditional_operator->value() : ConditionalOperator::kAnd;
  ASSIGN_OR_RETURN(Condition condition, Condition::FromFilter(*filter, joined, wording));
  return condition;
}

Result<void> CheckStartKeyValues(const std::optional<Item>& key, Wording wording) {
  if (!key || key->problem() == nullptr) return {};
  const ValueProblem& problem = *key->problem();
  using Kind = ValueProblem::Kind;
  const bool bare = problem.kind == Kind::kDuplicateInSet || problem.kind == Kind::kNotANumber ||
                    problem.kind == Kind::kNumberOverflow ||
                    problem.kind == Kind::kNumberUnderflow ||
                    problem.kind == Kind::kTooManyDigits || problem.set_type == 'N';
  const std::string message = ProblemMessage(problem, wording);
  return Invalid(bare ? message : fmt::format("{}: {}", kBadStart, message));
}

Result<void> CheckSelect(const PageRequest& page, std::string_view projection_parameter,
                         Wording wording) {
  if (!page.select) return {};
  // Query puts the combination errors into an envelope, Scan does not.
  const Wording said = page.kind == PageKind::kQueryPage && IsCurrent(wording) ? Wording::kEnveloped
                                                                               : Wording::kClassic;
  if (*page.select == Select::kSpecificAttributes) {
    if (!projection_parameter.empty()) return {};
    return Invalid(Envelope(said,
                            "Must specify the AttributesToGet or ProjectionExpression when "
                            "choosing to get SPECIFIC_ATTRIBUTES"));
  }
  if (!projection_parameter.empty()) {
    return Invalid(Envelope(said, fmt::format("Cannot specify the {} when choosing to get {}",
                                              projection_parameter, SelectText(*page.select))));
  }
  if (*page.select == Select::kAllProjectedAttributes && !page.index_name) {
    return Invalid(
        fmt::format("ALL_PROJECTED_ATTRIBUTES can be used only when {} using an IndexName",
                    page.kind == PageKind::kQueryPage ? "Querying" : "Scanning"));
  }
  return {};
}

const Index* FindMaintainedIndex(const Table& table, std::string_view name) {
  const Index* index = table.FindIndex(name);
  return index != nullptr && index->is_maintained() ? index : nullptr;
}

// An index is there for readers once it is complete.
Result<void> CheckNotBackfilling(const Index& index) {
  if (index.status != IndexStatus::kCreating) return {};
  return Invalid(
      fmt::format("Cannot read from backfilling global secondary index: {}", index.name));
}

Result<const Index*> FindIndex(const PageRequest& page, const Table& table) {
  if (!page.index_name) return nullptr;
  const Index* index = FindMaintainedIndex(table, *page.index_name);
  if (index == nullptr) {
    return std::unexpected(Error::Validation(
        fmt::format("The table does not have the specified index: {}", *page.index_name)));
  }
  RETURN_IF_ERROR(CheckNotBackfilling(*index));
  if (index->global && page.consistent) {
    return std::unexpected(
        Error::Validation("Consistent reads are not supported on global secondary indexes"));
  }
  return index;
}

Result<void> CheckIndexProjects(const PageRequest& page, PagePlan& plan) {
  if (plan.index == nullptr) return {};
  const Index& index = *plan.index;
  const bool wants_all = page.select == Select::kAllAttributes;
  if (wants_all && index.projection != ProjectionType::kAll) {
    if (!index.global) {
      plan.fetch_from_table = true;
      return CheckFilterProjected(page, index);
    }
    return Invalid(
        fmt::format("{}Select type ALL_ATTRIBUTES is not supported for global secondary index {} "
                    "because its projection type is not ALL",
                    kInvalidValues, index.name));
  }
  const std::vector<std::string> missing =
      page.projection ? Unprojected(page.projection->paths(), index) : std::vector<std::string>();
  if (!missing.empty() && index.global) {
    return Invalid(fmt::format("{}Global secondary index {} does not project [{}]", kInvalidValues,
                               index.name, fmt::join(missing, ", ")));
  }
  plan.fetch_from_table = !missing.empty();
  return CheckFilterProjected(page, index);
}

Result<void> CheckStartShape(const PageRequest& page, const Table& table, const Index* index) {
  if (!page.exclusive_start_key) return {};
  const Item& key = *page.exclusive_start_key;
  const std::vector<const KeyAttribute*> attributes = PositionAttributes(table, index);
  const bool complete = key.size() == attributes.size() &&
                        std::ranges::all_of(attributes, [&](const KeyAttribute* attribute) {
                          return key.Find(attribute->name).has_value();
                        });
  if (complete) return {};
  if (page.kind == PageKind::kScanPage && index == nullptr) {
    return Invalid(fmt::format("{}: {}", kBadStart, kMismatch));
  }
  return Invalid(std::string(kBadStart));
}

Result<void> CheckStartPiece(const KeyAttribute& attribute, const Item* start) {
  if (start == nullptr || Matches(attribute.type, start->Find(attribute.name)->type())) return {};
  return Invalid(std::string(kMismatch));
}

Result<void> CheckStartKey(const PageRequest& page, const Table& table, const Index* index) {
  if (!page.exclusive_start_key) return {};
  const Item& key = *page.exclusive_start_key;
  for (const KeyAttribute* attribute : PositionAttributes(table, index)) {
    const ValueView value = *key.Find(attribute->name);
    Result<void> valid = Matches(attribute->type, value.type()) ? CheckKeyValue(*attribute, value)
                                                                : Invalid(std::string(kMismatch));
    if (!valid) return Invalid(fmt::format("{}: {}", kBadStart, valid.error().message()));
  }
  RETURN_IF_ERROR(CheckKeySizes(table.KeysOf(index), key.view()));
  return CheckKeySizes(table.keys, key.view());
}

std::string StartRow(const KeyHasher& hasher, const Table& table, const Index* index,
                     ItemView key) {
  if (index == nullptr) return ItemRowKey(hasher, table, key);
  return EntryRowKey(hasher, table, *index, key).value_or(std::string());
}

void StartAfter(PagePlan& plan, const std::string& row) {
  if (plan.direction == Direction::kReverse) {
    plan.rows.end = std::min(plan.rows.end, row);
  } else {
    plan.rows.begin = std::max(plan.rows.begin, row + '\0');
  }
}

Result<ItemPage> ReadRows(const Engine& engine, PagePlan& plan) {
  // A store expects begin ≤ end.
  if (!plan.rows.end.empty() && plan.rows.begin > plan.rows.end) plan.rows.end = plan.rows.begin;
  return engine.ReadPage(plan);
}

ConsumedCapacity PageCapacity(std::string table_reference, const Index* index, double units,
                              double fetched_units, ReturnConsumedCapacity mode) {
  if (index == nullptr) return TableReadCapacity(std::move(table_reference), units, mode);
  return IndexReadCapacity(std::move(table_reference), *index, units, fetched_units, mode);
}

Result<PageResponse> ReadPageResponse(Engine& engine, PageRequest request, PagePlan plan) {
  plan.limit = request.limit;
  plan.filter = std::move(request.filter);
  plan.projection = std::move(request.projection);
  plan.count_only = request.select == Select::kCount;
  plan.count_bytes = request.capacity != ReturnConsumedCapacity::kNone;
  ASSIGN_OR_RETURN(ItemPage page, ReadRows(engine, plan));

  PageResponse response;
  response.count = page.count;
  response.scanned_count = page.scanned_count;
  response.last_evaluated_key = std::move(page.last_evaluated_key);
  if (!plan.count_only) response.items = std::move(page.items);
  if (request.capacity == ReturnConsumedCapacity::kNone) return response;

  response.consumed_capacity =
      PageCapacity(std::move(request.table_reference), plan.index,
                   ReadUnits(ReadBlocks(page.evaluated_bytes), request.consistent),
                   ReadUnits(page.fetched_blocks, request.consistent), request.capacity);
  return response;
}

}  // namespace stator
