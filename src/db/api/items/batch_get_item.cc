// BatchGetItem: reads up to 100 items of any tables by their keys.
#include <fmt/format.h>

#include <algorithm>

#include "api/consumed_capacity.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"
#include "base/try.h"
#include "capacity/units.h"
#include "engine/read/read_path.h"
#include "expr/projection.h"
#include "value/item_json.h"
#include "value/size.h"
#include "wire/json_codec.h"

namespace stator {
namespace batch_get_item {
namespace {

constexpr std::size_t kMaxKeys = 100;
// Full item sizes, before any projection; what does not fit is left unprocessed.
constexpr std::size_t kMaxResponseBytes = std::size_t{16} << 20;

struct TablePlan {
  std::string reference;  // as sent
  std::string name;
  KeysAndAttributes request;
  std::optional<Projection> projection;
  TablePtr table;
};

struct Plan {
  std::vector<TablePlan> tables;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

// The lengths are worded the same in both generations.
void ConstrainKeys(Constraints& check, std::string_view table,
                   const std::optional<std::vector<Item>>& keys) {
  const auto fail = [&](std::string_view bound) {
    check.Add(fmt::format(
        "Value at 'RequestItems.{}.member.Keys' failed to satisfy constraint: Member must have "
        "length {}",
        table, bound));
  };
  if (!keys) {
    check.Fail("null", fmt::format("requestItems.{}.member.keys", table),
               "Member must not be null");
  } else if (keys->empty()) {
    fail("greater than or equal to 1");
  } else if (keys->size() > kMaxKeys) {
    fail("less than or equal to 100");
  }
}

// What a message quotes of a request is no longer than this; nobody reads more of it.
constexpr std::size_t kMaxQuotedBytes = std::size_t{16} << 10;

// RequestItems as JSON text, in which DynamoDB quotes it.
std::string QuotedTables(const BatchGetMap& tables) {
  constexpr std::string_view kBefore = R"({"RequestItems":)";
  const Result<std::string> json = RequestToJson(BatchGetItemRequest{.request_items = tables});
  // Some values cannot be written.
  if (!json || !json->starts_with(kBefore) || json->size() > kMaxQuotedBytes) {
    return Constraints::Quoted("{…}");
  }
  return Constraints::Quoted(
      std::string_view(*json).substr(kBefore.size(), json->size() - kBefore.size() - 1));
}

Result<void> CheckConstraints(const BatchGetItemRequest& request, Wording wording) {
  if (request.request_items && request.request_items->empty()) {
    if (!IsCurrent(wording)) {
      return Invalid("The requestItems parameter is required for BatchGetItem");
    }
    return Invalid(
        "1 validation error detected: Value at 'RequestItems' failed to satisfy constraint: Member "
        "must have length greater than or equal to 1");
  }
  Constraints check;
  check.NotNull("requestItems", request.request_items);
  if (request.request_items) {
    ConstrainTableKeys(check, *request.request_items, QuotedTables);
    for (const auto& [table, keys] : *request.request_items) {
      ConstrainKeys(check, table, keys.keys);
      ConstrainAttributesToGet(check, fmt::format("requestItems.{}.member.attributesToGet", table),
                               keys.attributes_to_get);
    }
  }
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  return check.Finish();
}

// One generation of parameters for the whole request, across tables.
Result<void> CheckParameters(const BatchGetMap& tables) {
  bool has_legacy = false;
  bool has_expression = false;
  for (const auto& [name, table] : tables) {
    has_legacy = has_legacy || table.attributes_to_get.has_value();
    has_expression = has_expression || table.projection_expression.has_value();
  }
  return CheckNotMixed({{"AttributesToGet", has_legacy}},
                       {{"ProjectionExpression", has_expression}});
}

Result<TablePlan> PlanTable(std::string reference, KeysAndAttributes table, Engine& engine,
                            Wording wording) {
  TablePlan plan{.reference = std::move(reference), .request = std::move(table)};
  const KeysAndAttributes& request = plan.request;
  ASSIGN_OR_RETURN(plan.name, TableNameOf(plan.reference, engine));
  RETURN_IF_ERROR(CheckNamesHaveExpression(request.expression_attribute_names.has_value(),
                                           request.projection_expression.has_value()));
  ASSIGN_OR_RETURN(plan.projection, ProjectionOf(request, wording));
  for (const Item& key : *request.keys) RETURN_IF_ERROR(CheckValues(key, wording));
  RETURN_IF_ERROR(CheckNoDuplicates(*request.keys));
  return plan;
}

Result<Plan> Validate(BatchGetItemRequest&& request, Engine& engine, Wording wording) {
  RETURN_IF_ERROR(CheckConstraints(request, wording));
  RETURN_IF_ERROR(CheckParameters(*request.request_items));
  Plan plan{.capacity = CapacityMode(request.return_consumed_capacity)};
  std::size_t keys = 0;
  for (auto& [reference, table] : *request.request_items) {
    keys += table.keys->size();
    ASSIGN_OR_RETURN(TablePlan table_plan,
                     PlanTable(std::move(reference), std::move(table), engine, wording));
    plan.tables.push_back(std::move(table_plan));
    if (keys > kMaxKeys) {
      return std::unexpected(
          Error::Validation("Too many items requested for the BatchGetItem call"));
    }
  }
  return plan;
}

Result<std::vector<std::optional<Item>>> ReadAll(Engine& engine, Plan& plan) {
  std::vector<Engine::ItemAddress> addresses;
  for (TablePlan& table : plan.tables) {
    ASSIGN_OR_RETURN(table.table, engine.FindTable(table.name));
  }
  for (const TablePlan& table : plan.tables) {
    for (const Item& key : *table.request.keys) {
      RETURN_IF_ERROR(CheckKey(table.table->keys, key.view()));
      addresses.push_back({table.table.get(), key.view()});
    }
    if (table.projection) {
      RETURN_IF_ERROR(CheckNoNestedKeys(*table.table, table.projection->paths()));
    }
  }
  return engine.ReadItems(addresses);
}

// Where the items of one table gather. An ARN and the bare name of a table meet in one entry.
struct Gathered {
  const TablePlan* first;
  ItemList items;
  double units = 0;
};

Gathered& EntryOf(std::vector<Gathered>& entries, const TablePlan& table) {
  const auto found = std::ranges::find_if(
      entries, [&](const Gathered& entry) { return entry.first->name == table.name; });
  return found != entries.end() ? *found : entries.emplace_back(Gathered{.first = &table});
}

// Whether anything depends on the items' sizes: they are charged for, or may be too much for one
// answer.
bool SizesMatter(const std::vector<std::optional<Item>>& items, ReturnConsumedCapacity capacity) {
  if (capacity != ReturnConsumedCapacity::kNone) return true;
  std::size_t most_bytes = 0;
  for (const std::optional<Item>& item : items) {
    if (item) most_bytes += kMaxSizePerEncodedByte * item->encoded().size();
  }
  return most_bytes > kMaxResponseBytes;
}

Result<BatchGetItemResponse> Execute(Engine& engine, Plan plan) {
  ASSIGN_OR_RETURN(const std::vector<std::optional<Item>> items, ReadAll(engine, plan));
  const bool sizes_matter = SizesMatter(items, plan.capacity);
  BatchGetItemResponse response;
  std::vector<Gathered> entries;
  std::size_t next = 0;
  std::size_t bytes_sent = 0;
  for (TablePlan& table : plan.tables) {
    const bool consistent = table.request.consistent_read.value_or(false);
    Gathered& entry = EntryOf(entries, table);
    std::vector<Item> unprocessed;
    for (const Item& key : *table.request.keys) {
      const std::optional<Item>& item = items[next++];
      const std::size_t bytes = item && sizes_matter ? ItemSizeBytes(item->view()) : 0;
      if (bytes_sent + bytes > kMaxResponseBytes) {
        unprocessed.push_back(key);
        continue;
      }
      bytes_sent += bytes;
      entry.units += ReadUnits(ReadBlocks(bytes), consistent);
      if (!item) continue;
      entry.items.Append(table.projection ? table.projection->Apply(item->view()).view()
                                          : item->view());
    }
    if (unprocessed.empty()) continue;
    table.request.keys = std::move(unprocessed);
    response.unprocessed_keys.emplace_back(table.reference, table.request);
  }

  if (plan.capacity != ReturnConsumedCapacity::kNone) response.consumed_capacity.emplace();
  for (Gathered& entry : entries) {
    const std::string& reference = entry.first->reference;
    response.responses.emplace_back(reference, std::move(entry.items));
    if (!response.consumed_capacity) continue;
    response.consumed_capacity->push_back(TableReadCapacity(reference, entry.units, plan.capacity));
  }
  return response;
}

}  // namespace
}  // namespace batch_get_item

STATOR_DEFINE_OPERATION(BatchGetItem, batch_get_item);

}  // namespace stator
