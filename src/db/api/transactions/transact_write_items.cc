// TransactWriteItems: the constraints on its request, what makes two requests the same, and the
// operation.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "api/constraints.h"
#include "api/consumed_capacity.h"
#include "api/items/table_fit.h"
#include "api/items/write_rules.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"
#include "api/transactions/transaction_rules.h"
#include "base/try.h"
#include "engine/write/transaction.h"
#include "value/item_codec.h"
#include "value/size.h"
#include "value/value_problem.h"

namespace stator {

namespace {

// `path` is that of the action, e.g. transactItems.1.member.put.
template <class Action>
void ConstrainAction(Constraints& check, const std::string& path, std::string_view item_member,
                     const Action& action, const std::optional<Item>& item) {
  ConstrainTableName(check, action.table_name, path + ".tableName");
  check.NotNull(fmt::format("{}.{}", path, item_member), item);
  check.Enum(path + ".returnValuesOnConditionCheckFailure",
             action.return_values_on_condition_check_failure);
}

void ConstrainItem(Constraints& check, const std::string& path, const TransactWriteItem& item) {
  if (const auto& one = item.condition_check) {
    const std::string at = path + ".conditionCheck";
    ConstrainAction(check, at, "key", *one, one->key);
    check.NotNull(at + ".conditionExpression", one->condition_expression);
  }
  if (const auto& one = item.put) ConstrainAction(check, path + ".put", "item", *one, one->item);
  if (const auto& one = item.delete_item) {
    ConstrainAction(check, path + ".delete", "key", *one, one->key);
  }
  if (const auto& one = item.update) {
    const std::string at = path + ".update";
    ConstrainAction(check, at, "key", *one, one->key);
    check.NotNull(at + ".updateExpression", one->update_expression);
  }
}

// Every field is a length and bytes, so that no two requests run into the same text. An absent
// member is a field that no present one can be.
class RequestFingerprint {
 public:
  void AddBytes(std::string_view bytes) {
    AppendVarint(bytes_, bytes.size() + 1);
    bytes_.append(bytes);
  }
  void AddAbsent() { AppendVarint(bytes_, 0); }

  void Add(const std::optional<std::string>& text) { text ? AddBytes(*text) : AddAbsent(); }
  void Add(const std::optional<Item>& item) { item ? AddBytes(item->encoded()) : AddAbsent(); }
  template <class E>
  void Add(const std::optional<Choice<E>>& choice) {
    choice ? AddBytes(std::to_string(static_cast<int>(choice->value()))) : AddAbsent();
  }
  // The order of a map's entries does not count.
  template <class Value>
  void Add(const std::optional<std::vector<std::pair<std::string, Value>>>& map) {
    if (!map) return AddAbsent();
    std::vector<const std::pair<std::string, Value>*> entries;
    for (const auto& entry : *map) entries.push_back(&entry);
    std::ranges::sort(entries, {},
                      [](const auto* entry) -> const std::string& { return entry->first; });
    AddBytes(std::to_string(entries.size()));
    for (const auto* entry : entries) {
      AddBytes(entry->first);
      AddBytes(BytesOf(entry->second));
    }
  }
  std::string Finish() && { return std::move(bytes_); }

 private:
  static std::string_view BytesOf(const std::string& text) { return text; }
  static std::string_view BytesOf(const AttributeValue& value) { return value.encoded(); }

  std::string bytes_;
};

template <class Action>
void AddAction(RequestFingerprint& print, std::string_view kind, const Action& action,
               const std::optional<Item>& item) {
  print.AddBytes(kind);
  print.Add(action.table_name);
  print.Add(item);
  print.Add(action.condition_expression);
  print.Add(action.expression_attribute_names);
  print.Add(action.expression_attribute_values);
  print.Add(action.return_values_on_condition_check_failure);
}

Result<void> CheckConstraints(const TransactWriteItemsRequest& request) {
  Constraints check;
  ConstrainRequestToken(check, request.client_request_token);
  check.Enum("returnConsumedCapacity", request.return_consumed_capacity);
  check.Enum("returnItemCollectionMetrics", request.return_item_collection_metrics);
  std::optional<std::size_t> count;
  if (request.transact_items) count = request.transact_items->size();
  ConstrainActions(check, "transactItems", count);
  for (std::size_t i = 0; i < count.value_or(0); ++i) {
    ConstrainItem(check, fmt::format("transactItems.{}.member", i + 1),
                  (*request.transact_items)[i]);
  }
  return check.Finish();
}

std::string FingerprintOf(const TransactWriteItemsRequest& request) {
  RequestFingerprint print;
  print.AddBytes("TransactWriteItems");
  print.Add(request.return_item_collection_metrics);
  for (const TransactWriteItem& item : *request.transact_items) {
    if (const auto& one = item.condition_check) AddAction(print, "check", *one, one->key);
    if (const auto& one = item.put) AddAction(print, "put", *one, one->item);
    if (const auto& one = item.delete_item) AddAction(print, "delete", *one, one->key);
    if (const auto& one = item.update) {
      AddAction(print, "update", *one, one->key);
      print.Add(one->update_expression);
    }
  }
  return std::move(print).Finish();
}

}  // namespace

// TransactWriteItems: up to 100 writes and checks of any tables, all of them or none.
namespace transact_write_items {
namespace {

struct ActionPlan {
  std::string table_reference;  // as sent
  std::string table_name;
  ItemWrite write;  // all but the table
};

struct Plan {
  std::vector<ActionPlan> actions;
  std::optional<TransactionToken> token;
  ReturnConsumedCapacity capacity = ReturnConsumedCapacity::kNone;
  bool collection_metrics = false;
};

Result<void> CheckOneAction(const TransactWriteItem& item) {
  const int actions = item.condition_check.has_value() + item.put.has_value() +
                      item.delete_item.has_value() + item.update.has_value();
  if (actions == 1) return {};
  return Invalid(actions == 0
                     ? "Invalid Request: TransactWriteRequest should contain Delete or Put or "
                       "Update request"
                     : "TransactItems can only contain one of Check, Put, Update or Delete");
}

// The name of an attribute is looked at last, and so is a key that is nested too deeply.
bool IsFoundLast(const ValueProblem& problem, ItemWrite::Kind kind) {
  return problem.kind == ValueProblem::Kind::kEmptyName ||
         problem.kind == ValueProblem::Kind::kNameTooLong ||
         (problem.kind == ValueProblem::Kind::kTooDeep && kind != ItemWrite::Kind::kPut);
}

// `item` is the action's Item or Key.
template <class Action>
Result<ActionPlan> PlanAction(Action& action, ItemWrite::Kind kind, std::optional<Item>& item,
                              const std::optional<std::string>& update_expression, Engine& engine,
                              Wording wording) {
  ActionPlan plan;
  ASSIGN_OR_RETURN(plan.table_name, TableNameOf(*action.table_name, engine));
  const ValueProblem* problem = item->problem();
  if (problem && !IsFoundLast(*problem, kind)) RETURN_IF_ERROR(CheckValues(*item, wording));
  Placeholders placeholders = PlaceholdersOf(action, wording);
  RETURN_IF_ERROR(placeholders.CheckMaps());
  if (update_expression) {
    ASSIGN_OR_RETURN(plan.write.update, Update::Parse(*update_expression, placeholders));
  }
  ASSIGN_OR_RETURN(plan.write.condition, ConditionOf(action, placeholders));
  // Without any expression placeholders are not looked at.
  if (update_expression || action.condition_expression) {
    RETURN_IF_ERROR(placeholders.CheckUnused());
  }
  RETURN_IF_ERROR(CheckValues(*item, wording));
  plan.write.kind = kind;
  plan.write.item = *std::move(item);
  plan.write.size_statement = false;
  plan.write.want_item_on_failure = action.return_values_on_condition_check_failure &&
                                    action.return_values_on_condition_check_failure->value() ==
                                        ReturnValuesOnConditionCheckFailure::kAllOld;
  plan.table_reference = *std::move(action.table_name);
  return plan;
}

Result<ActionPlan> PlanItem(TransactWriteItem& item, Engine& engine, Wording wording) {
  using Kind = ItemWrite::Kind;
  if (auto& one = item.condition_check) {
    return PlanAction(*one, Kind::kCheck, one->key, std::nullopt, engine, wording);
  }
  if (auto& one = item.put) {
    return PlanAction(*one, Kind::kPut, one->item, std::nullopt, engine, wording);
  }
  if (auto& one = item.delete_item) {
    return PlanAction(*one, Kind::kDelete, one->key, std::nullopt, engine, wording);
  }
  return PlanAction(*item.update, Kind::kUpdate, item.update->key, item.update->update_expression,
                    engine, wording);
}

Result<Plan> Validate(TransactWriteItemsRequest&& request, Engine& engine, Wording wording) {
  RETURN_IF_ERROR(CheckConstraints(request));
  for (const TransactWriteItem& item : *request.transact_items) {
    RETURN_IF_ERROR(CheckOneAction(item));
  }
  Plan plan{.capacity = CapacityMode(request.return_consumed_capacity)};
  plan.collection_metrics =
      request.return_item_collection_metrics &&
      request.return_item_collection_metrics->value() == ReturnItemCollectionMetrics::kSize;
  if (request.client_request_token) {
    plan.token =
        TransactionToken{.token = *request.client_request_token, .request = FingerprintOf(request)};
  }
  for (TransactWriteItem& item : *request.transact_items) {
    ASSIGN_OR_RETURN(ActionPlan action, PlanItem(item, engine, wording));
    action.write.want_units = plan.capacity != ReturnConsumedCapacity::kNone;
    plan.actions.push_back(std::move(action));
  }
  return plan;
}

// What is wrong with the request as a whole, once its tables are known.
Result<void> FitToTables(Engine& engine, Plan& plan) {
  std::vector<TransactionItem> items;
  for (ActionPlan& action : plan.actions) {
    ASSIGN_OR_RETURN(action.write.table, engine.FindTable(action.table_name));
    items.push_back({action.write.table.get(), action.write.item.view()});
  }
  RETURN_IF_ERROR(CheckDistinctItems(items));
  std::size_t bytes = 0;
  for (const ActionPlan& action : plan.actions) {
    const ItemView item = action.write.item.view();
    RETURN_IF_ERROR(CheckNoEmptyKeys(action.write.table->keys, item));
    if (action.write.kind != ItemWrite::Kind::kPut) continue;
    RETURN_IF_ERROR(CheckItemSize(item));
    bytes += ItemSizeBytes(item);
  }
  if (bytes > kMaxTransactionBytes) return std::unexpected(TransactionTooLarge(bytes));
  return {};
}

// One entry for each distinct item collection that is written, by table.
using MetricsByTable = std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>>;
MetricsByTable MetricsOf(const Plan& plan) {
  MetricsByTable tables;
  for (const ActionPlan& action : plan.actions) {
    if (action.write.kind == ItemWrite::Kind::kCheck) continue;
    std::optional<ItemCollectionMetrics> one =
        CollectionMetrics(*action.write.table, action.write.item.view());
    if (!one) continue;
    auto table =
        std::ranges::find(tables, action.table_reference, &MetricsByTable::value_type::first);
    if (table == tables.end()) {
      table = tables.insert(tables.end(), {action.table_reference, {}});
    }
    const bool known = std::ranges::any_of(table->second, [&](const ItemCollectionMetrics& other) {
      return other.item_collection_key == one->item_collection_key;
    });
    if (!known) table->second.push_back(*std::move(one));
  }
  return tables;
}

void Execute(Engine& engine, Plan plan, Reply<TransactWriteItemsResponse> reply) {
  if (Result<void> fits = FitToTables(engine, plan); !fits) {
    return reply(std::unexpected(std::move(fits).error()));
  }
  TransactionCharges charges{.tables = {}, .mode = plan.capacity};
  MetricsByTable metrics;
  if (plan.collection_metrics) metrics = MetricsOf(plan);
  Transaction transaction{.actions = {}, .token = std::move(plan.token)};
  for (ActionPlan& action : plan.actions) {
    charges.tables.emplace_back(std::move(action.table_reference), std::move(action.table_name));
    TransactionAction& one = transaction.actions.emplace_back();
    if (Result<void> fits = FitToTable(action.write); !fits) one.refused = std::move(fits).error();
    one.write = std::move(action.write);
  }
  engine.Transact(std::move(transaction),
                  [charges = std::move(charges), metrics = std::move(metrics),
                   reply = std::move(reply)](Result<TransactionOutcome> outcome) mutable {
                    if (!outcome) return reply(std::unexpected(std::move(outcome).error()));
                    TransactWriteItemsResponse response;
                    response.consumed_capacity = charges.Of(*std::move(outcome));
                    if (!metrics.empty()) response.item_collection_metrics = std::move(metrics);
                    reply(std::move(response));
                  });
}

}  // namespace
}  // namespace transact_write_items

STATOR_DEFINE_OPERATION(TransactWriteItems, transact_write_items);

}  // namespace stator
