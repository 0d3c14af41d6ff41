// IA04: do the policies allow what the patterns do?
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/plan/plan.h"
#include "rules/infrastructure_rules.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

// What a policy on one table must allow.
struct Needs {
  std::set<std::string> actions;
  std::set<std::string> indexes;
};

void AddActions(const Plan& plan, const Model& model, const Table& table, Needs& needs) {
  PlanActions actions = ActionsOf(plan);
  needs.actions.merge(actions.own);
  needs.actions.merge(actions.beside);
  if (plan.resolved() && plan.index != nullptr) needs.indexes.insert(plan.index->name);
  const std::optional<std::string>& then_get = plan.pattern->read.then_get;
  const Entity* entity = then_get ? model.FindEntity(*then_get) : nullptr;
  if (entity != nullptr && entity->table == table.id) needs.actions.emplace("GetItem");
}

bool Covers(const Grant& grant, const Pattern& pattern) {
  return grant.patterns.empty() ||
         std::ranges::find(grant.patterns, pattern.name) != grant.patterns.end();
}

void AddPlan(const Plan& plan, const Model& model, const Table& table, Needs& needs) {
  if (plan.pattern->kind == PatternKind::kTransaction) {
    for (const Plan& part : plan.parts) {
      if (part.table == &table && part.pattern != nullptr) AddPlan(part, model, table, needs);
    }
    return;
  }
  if (plan.table == &table) AddActions(plan, model, table, needs);
}

bool Allows(const Grant& grant, std::string_view action) {
  return std::ranges::any_of(grant.actions, [&](std::string_view given) {
    if (given.starts_with("dynamodb:")) given.remove_prefix(9);
    if (given.ends_with('*')) return action.starts_with(given.substr(0, given.size() - 1));
    return given == action;
  });
}

bool AllowsIndex(const Grant& grant, const std::string& index) {
  return std::ranges::any_of(
      grant.indexes, [&](const std::string& given) { return given == "*" || given == index; });
}

void CheckMissingGrant(const Subject& subject, Findings& findings) {
  for (const Grant& grant : subject.model.grants) {
    const Table* table = subject.model.FindTable(grant.table);
    if (table == nullptr) continue;
    Needs needs;
    for (const Plan& plan : subject.plans) {
      if (Covers(grant, *plan.pattern)) AddPlan(plan, subject.model, *table, needs);
    }
    std::erase_if(needs.actions, [&](const std::string& name) { return Allows(grant, name); });
    std::erase_if(needs.indexes, [&](const std::string& name) { return AllowsIndex(grant, name); });
    const std::vector<std::string> actions(needs.actions.begin(), needs.actions.end());
    const std::vector<std::string> indexes(needs.indexes.begin(), needs.indexes.end());
    if (!actions.empty()) {
      findings.Add(grant.who, grant.place,
                   fmt::format("{} may not {} on {}, which its patterns do", grant.who,
                               List(actions), table->id),
                   fmt::format("add {} to `actions`", List(actions)));
    }
    if (!indexes.empty()) {
      findings.Add(grant.who, grant.place,
                   fmt::format("the policy of {} names {} but not its index {}: a query on an "
                               "index needs the index's ARN",
                               grant.who, table->id, List(indexes)),
                   fmt::format("indexes: {}", YamlList(indexes)));
    }
  }
}

}  // namespace

constinit const Rule kMissingGrant{
    .id = "IA04",
    .title = "a policy lacks an operation or an index that the patterns need",
    .severity = Severity::kError,
    .check = CheckMissingGrant,
    .lesson =
        "An index has an ARN of its own, table/NAME/index/INDEX, and a policy on the table's ARN "
        "does not cover it: the query on the index is denied. BatchGetItem is another action than "
        "GetItem, and a transaction needs the actions of its parts. The patterns say exactly what "
        "each program does, so the policy can be compared with them, or generated.",
    .bad = R"(model: 1
tables:
  app:
    key: pk str, sk str
    indexes:
      GSI1: {pk: gsi1pk str, sk: gsi1sk str, project: all}
entities:
  Alias:
    table: app
    keys: {pk: "ALIAS#{chat}", sk: "{alias}", gsi1pk: "BY#{chat}", gsi1sk: "{activity}"}
    attrs: {chat: str 12 no=#, alias: str 20, activity: str 20}
    volume: {total: 1000, per: {chat: 60/100, chat+activity: 5}}
patterns:
  learn: {write: Alias.put, rate: 3/week}
  reverse: {query: app.GSI1, of: Alias, where: "chat = $c, activity = $a", all: true, rate: 3/week}
grants:
  worker: {table: app, actions: [PutItem, Query]}
)",
    .good = R"(model: 1
tables:
  app:
    key: pk str, sk str
    indexes:
      GSI1: {pk: gsi1pk str, sk: gsi1sk str, project: all}
entities:
  Alias:
    table: app
    keys: {pk: "ALIAS#{chat}", sk: "{alias}", gsi1pk: "BY#{chat}", gsi1sk: "{activity}"}
    attrs: {chat: str 12 no=#, alias: str 20, activity: str 20}
    volume: {total: 1000, per: {chat: 60/100, chat+activity: 5}}
patterns:
  learn: {write: Alias.put, rate: 3/week}
  reverse: {query: app.GSI1, of: Alias, where: "chat = $c, activity = $a", all: true, rate: 3/week}
grants:
  worker: {table: app, actions: [PutItem, Query], indexes: [GSI1]}
)",
};

}  // namespace stator::model
