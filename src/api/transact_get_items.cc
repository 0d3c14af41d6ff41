// TransactGetItems: reads up to 100 items of any tables as of one moment.
#include <fmt/format.h>

#include "api/batch_rules.h"
#include "api/consumed_capacity.h"
#include "api/member_reader.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/table_reference.h"
#include "api/transaction_rules.h"
#include "base/try.h"
#include "capacity/units.h"
#include "engine/transaction.h"
#include "expr/projection.h"
#include "value/item_json.h"
#include "value/size.h"
#include "value/value_problem.h"

namespace stator {
namespace {

// Two consistent reads a block.
constexpr double kTransactionFactor = 2;

struct GetPlan {
  std::string table_reference;  // as sent
  std::string table_name;
  TablePtr table;
  Item key;
  std::optional<Projection> projection;
};

struct Plan {
  std::vector<GetPlan> gets;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
};

Result<TransactGetItemsRequest> Decode(JsonValue body, Wording wording) {
  MemberReader in(body);
  TransactGetItemsRequest request;
  request.transact_items = in.Structures<TransactGetItem>(
      "TransactItems", "TransactGetItem", [wording](MemberReader& one, TransactGetItem& item) {
        item.get = one.Structure<TransactGet>(
            "Get", "Get", [wording](MemberReader& members, TransactGet& get) {
              get.key = members.Item("Key", wording);
              get.table_name = members.String("TableName");
              get.projection_expression = members.String("ProjectionExpression");
              get.expression_attribute_names = members.Names("ExpressionAttributeNames");
            });
      });
  request.return_consumed_capacity = in.Enum<ReturnConsumedCapacity>("ReturnConsumedCapacity");
  return in.Finish(std::move(request));
}

Result<void> CheckConstraints(const TransactGetItemsRequest& request) {
  Constraints check;
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  std::optional<std::size_t> count;
  if (request.transact_items) count = request.transact_items->size();
  ConstrainActions(check, "transactItems", count);
  for (std::size_t i = 0; i < count.value_or(0); ++i) {
    const std::string path = fmt::format("transactItems.{}.member.get", i + 1);
    const std::optional<TransactGet>& get = (*request.transact_items)[i].get;
    check.NotNull(path, get);
    if (!get) continue;
    ConstrainTableName(check, get->table_name, path + ".tableName");
    check.NotNull(path + ".key", get->key);
  }
  return check.Finish();
}

Result<GetPlan> PlanGet(TransactGet&& get, Engine& engine, Wording wording) {
  GetPlan plan;
  ASSIGN_OR_RETURN(plan.table_name, TableNameOf(*get.table_name, engine));
  // Expressions are looked at before the depth of a key.
  const ValueProblem* problem = get.key->problem();
  if (problem && problem->kind != ValueProblem::Kind::kTooDeep) {
    RETURN_IF_ERROR(CheckValues(*get.key, wording));
  }
  const NameMap* names =
      get.expression_attribute_names ? &*get.expression_attribute_names : nullptr;
  Placeholders placeholders(names, nullptr, wording);
  RETURN_IF_ERROR(placeholders.CheckMaps());
  if (get.projection_expression) {
    ASSIGN_OR_RETURN(plan.projection, Projection::Parse(*get.projection_expression, placeholders));
    RETURN_IF_ERROR(placeholders.CheckUnused());
  }
  RETURN_IF_ERROR(CheckValues(*get.key, wording));
  plan.table_reference = *std::move(get.table_name);
  plan.key = *std::move(get.key);
  return plan;
}

Result<Plan> Validate(TransactGetItemsRequest&& request, Engine& engine, Wording wording) {
  RETURN_IF_ERROR(CheckConstraints(request));
  Plan plan{.capacity = CapacityMode(request.return_consumed_capacity)};
  for (TransactGetItem& item : *request.transact_items) {
    ASSIGN_OR_RETURN(GetPlan get, PlanGet(*std::move(item.get), engine, wording));
    plan.gets.push_back(std::move(get));
  }
  return plan;
}

// What stands against one read alone.
Result<void> CheckGet(const Engine& engine, const GetPlan& plan) {
  if (!CheckNoEmptyKeys(plan.table->keys, plan.key.view())) {
    return Invalid("The provided key element does not match the schema");
  }
  RETURN_IF_ERROR(CheckKey(plan.table->keys, plan.key.view()));
  if (plan.projection) {
    RETURN_IF_ERROR(CheckNoNestedKeys(*plan.table, plan.projection->paths()));
  }
  if (engine.IsInTransaction(*plan.table, plan.key.view())) {
    return std::unexpected(Error::TransactionConflict());
  }
  return {};
}

Result<std::vector<std::optional<Item>>> ReadAll(Engine& engine, Plan& plan) {
  std::vector<TransactionItem> items;
  for (GetPlan& get : plan.gets) {
    ASSIGN_OR_RETURN(get.table, engine.FindTable(get.table_name));
    items.push_back({get.table.get(), get.key.view()});
  }
  RETURN_IF_ERROR(CheckDistinctItems(items));
  std::vector<std::optional<Error>> refused;
  std::vector<Engine::ItemAddress> addresses;
  for (const GetPlan& get : plan.gets) {
    Result<void> fits = CheckGet(engine, get);
    refused.push_back(fits ? std::nullopt : std::optional(std::move(fits).error()));
    addresses.push_back({get.table.get(), get.key.view()});
  }
  RETURN_IF_ERROR(CheckNoneRefused(refused));
  return engine.ReadItems(addresses);
}

Result<TransactGetItemsResponse> Execute(Engine& engine, Plan plan) {
  ASSIGN_OR_RETURN(std::vector<std::optional<Item>> items, ReadAll(engine, plan));
  TransactGetItemsResponse response;
  std::vector<ActionCharge> charges;
  std::size_t total_bytes = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    const GetPlan& get = plan.gets[i];
    std::optional<Item>& item = items[i];
    // The whole item is charged, whatever the projection.
    const std::size_t bytes = item ? ItemSizeBytes(item->view()) : 0;
    total_bytes += bytes;
    const double units = kTransactionFactor * ReadUnits(ReadBlocks(bytes), /*consistent=*/true);
    charges.push_back({get.table_reference, get.table_name, {.table = units}});
    if (item && get.projection) item = get.projection->Apply(item->view());
    if (item && item->empty()) item.reset();
  }
  if (total_bytes > kMaxTransactionBytes) return std::unexpected(TransactionTooLarge());
  response.responses = std::move(items);
  if (plan.capacity != ReturnConsumedCapacity::kNone) {
    response.consumed_capacity = TransactionCapacity(charges, ChargedAs::kReads, plan.capacity);
  }
  return response;
}

void Encode(const TransactGetItemsResponse& response, JsonWriter& out) {
  out.BeginObject();
  out.Key("Responses").BeginArray();
  for (const std::optional<Item>& item : response.responses) {
    out.BeginObject();
    if (item) {
      out.Key("Item");
      WriteItem(out, item->view());
    }
    out.EndObject();
  }
  out.EndArray();
  WriteCapacityList(out, response.consumed_capacity);
  out.EndObject();
}

}  // namespace

constinit const Operation<TransactGetItemsRequest, TransactGetItemsResponse> kTransactGetItems =
    DefineOperation<TransactGetItemsRequest, TransactGetItemsResponse, Decode, Validate, Execute,
                    Encode>();

}  // namespace stator
