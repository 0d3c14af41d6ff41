// TransactWriteItems: up to 100 writes and checks of any tables, all of them or none.
#include <algorithm>
#include <utility>

#include "api/consumed_capacity.h"
#include "api/items/batch_rules.h"
#include "api/items/table_fit.h"
#include "api/items/write_rules.h"
#include "api/operations.h"
#include "api/request_rules.h"
#include "api/tables/table_reference.h"
#include "api/transactions/transact_write_request.h"
#include "api/transactions/transaction_rules.h"
#include "base/try.h"
#include "engine/write/transaction.h"
#include "value/size.h"
#include "value/value_problem.h"

namespace stator {
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

Result<TransactWriteItemsRequest> Decode(JsonValue body, Wording wording) {
  return ReadTransactWrite(body, wording);
}

Result<void> CheckOneAction(const TransactWriteItem& item) {
  const int actions = item.condition_check.has_value() + item.put.has_value() +
                      item.delete_item.has_value() + item.update.has_value();
  if (actions == 1) return {};
  return Invalid(actions == 0
                     ? "Invalid Request: TransactWriteRequest should contain Delete or Put or "
                       "Update request"
                     : "TransactItems can only contain one of Check, Put, Update or Delete");
}

// An empty attribute name is found last, and so is a key that is nested too deeply.
bool IsFoundLast(const ValueProblem& problem, ItemWrite::Kind kind) {
  return problem.kind == ValueProblem::Kind::kEmptyName ||
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
  if (bytes > kMaxTransactionBytes) return std::unexpected(TransactionTooLarge());
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

// What the answer still needs of the request when the writes are gone.
struct AnswerPlan {
  std::vector<std::pair<std::string, std::string>> tables;  // reference and name, by action
  ReturnConsumedCapacity capacity;
  MetricsByTable metrics;
};

TransactWriteItemsResponse Answer(AnswerPlan plan, TransactionOutcome outcome) {
  TransactWriteItemsResponse response;
  if (!plan.metrics.empty()) response.item_collection_metrics = std::move(plan.metrics);
  if (plan.capacity == ReturnConsumedCapacity::kNone) return response;
  std::vector<ActionCharge> charges;
  for (std::size_t i = 0; i < plan.tables.size(); ++i) {
    charges.push_back({plan.tables[i].first, plan.tables[i].second, std::move(outcome.units[i])});
  }
  response.consumed_capacity = TransactionCapacity(
      charges, outcome.is_replay ? ChargedAs::kReads : ChargedAs::kWrites, plan.capacity);
  return response;
}

void Execute(Engine& engine, Plan plan, Reply<TransactWriteItemsResponse> reply) {
  if (Result<void> fits = FitToTables(engine, plan); !fits) {
    return reply(std::unexpected(std::move(fits).error()));
  }
  AnswerPlan answer{.tables = {}, .capacity = plan.capacity, .metrics = {}};
  if (plan.collection_metrics) answer.metrics = MetricsOf(plan);
  Transaction transaction{.actions = {}, .token = std::move(plan.token)};
  for (ActionPlan& action : plan.actions) {
    answer.tables.emplace_back(std::move(action.table_reference), std::move(action.table_name));
    TransactionAction& one = transaction.actions.emplace_back();
    if (Result<void> fits = FitToTable(action.write); !fits) one.refused = std::move(fits).error();
    one.write = std::move(action.write);
  }
  engine.Transact(std::move(transaction), [answer = std::move(answer), reply = std::move(reply)](
                                              Result<TransactionOutcome> outcome) mutable {
    if (!outcome) return reply(std::unexpected(std::move(outcome).error()));
    reply(Answer(std::move(answer), *std::move(outcome)));
  });
}

void Encode(const TransactWriteItemsResponse& response, JsonWriter& out) {
  out.BeginObject();
  WriteCapacityList(out, response.consumed_capacity);
  if (response.item_collection_metrics) {
    out.Key("ItemCollectionMetrics").BeginObject();
    for (const auto& [table, metrics] : *response.item_collection_metrics) {
      out.Key(table).BeginArray();
      for (const ItemCollectionMetrics& one : metrics) Write(out, one);
      out.EndArray();
    }
    out.EndObject();
  }
  out.EndObject();
}

}  // namespace
}  // namespace transact_write_items

constinit const Operation<TransactWriteItemsRequest, TransactWriteItemsResponse>
    kTransactWriteItems =
        DefineOperation<TransactWriteItemsRequest, TransactWriteItemsResponse,
                        transact_write_items::Decode, transact_write_items::Validate,
                        transact_write_items::Execute, transact_write_items::Encode>();

}  // namespace stator
