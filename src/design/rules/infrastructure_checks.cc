// IA: are tables built as the design means them, and may its programs use them?
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/hcl/hcl_syntax.h"
#include "model/plan/plan.h"
#include "rules/checks.h"
#include "rules/entity_keys.h"

namespace stator::model {

// ---- IA01, IA02, IA05: settings of tables that contradict each other or leave data in danger

namespace {

// Attribute → type of everything that is a key of the table or of an index.
std::map<std::string, Type> KeyTypes(const Table& table) {
  std::map<std::string, Type> types;
  for (const KeyAttribute* key : KeysOf(table)) types.emplace(key->name, key->type);
  for (const Index& index : table.indexes) {
    for (const KeyAttribute* key : KeysOf(index)) types.emplace(key->name, key->type);
  }
  return types;
}

bool IsProduction(const std::string& environment) {
  return environment == "production" || environment == "live" || environment.starts_with("prod");
}

std::set<std::string> ProductionEnvironments(const Model& model) {
  std::set<std::string> environments(model.assume.environments.begin(),
                                     model.assume.environments.end());
  for (const Table& table : model.tables) {
    for (const auto& [name, window] : table.pitr.in) environments.insert(name);
    for (const auto& [name, on] : table.deletion_protection.in) environments.insert(name);
  }
  std::erase_if(environments, [](const std::string& name) { return !IsProduction(name); });
  return environments;
}

}  // namespace

void CheckCapacityOnDemand(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    for (const Index& index : table.indexes) {
      if (!index.capacity) continue;
      if (!table.provisioned) {
        findings.Add(
            IndexTarget(table, index), index.place,
            fmt::format("has read capacity {} and write capacity {}, but the table is on demand, "
                        "where there is none to set",
                        FigureText(index.capacity->read), FigureText(index.capacity->write)),
            "leave out `capacity`, or give the table `billing: {read: …, write: …}`");
      } else if (index.local) {
        findings.Add(IndexTarget(table, index), index.place,
                     "a local index uses its table's capacity and has none of its own",
                     "leave out `capacity`");
      }
    }
  }
}

void CheckAttributeDefinitions(const Subject& subject, Findings& findings) {
  for (const Table& table : subject.model.tables) {
    if (table.attribute_definitions.empty()) continue;
    std::map<std::string, Type> wanted = KeyTypes(table);
    std::vector<std::string> wrong;
    for (const KeyAttribute& given : table.attribute_definitions) {
      const auto it = wanted.find(given.name);
      if (it == wanted.end()) {
        wrong.push_back(given.name + " is not a key");
        continue;
      }
      if (it->second != given.type) {
        wrong.push_back(fmt::format("{} is {} there and {} in the key", given.name,
                                    TypeName(given.type), TypeName(it->second)));
      }
      wanted.erase(it);
    }
    for (const auto& [name, type] : wanted) wrong.push_back(name + " is missing");
    if (wrong.empty()) continue;
    findings.Add(table.id, table.attribute_definitions.front().place,
                 "the attribute definitions are not the key attributes: " + List(wrong),
                 "list exactly the attributes of all keys, or leave `attributes` out");
  }
}

void CheckUnprotectedProduction(const Subject& subject, Findings& findings) {
  const std::set<std::string> environments = ProductionEnvironments(subject.model);
  for (const Table& table : subject.model.tables) {
    for (const std::string& environment : environments) {
      std::vector<std::string> lacks;
      std::vector<std::string> fixes;
      if (table.pitr.In(environment).value_or(seconds{0}).count() == 0) {
        lacks.emplace_back("point-in-time recovery");
        fixes.push_back(fmt::format("pitr: {{{}: 35d}}", environment));
      }
      if (!table.deletion_protection.In(environment).value_or(false)) {
        lacks.emplace_back("deletion protection");
        fixes.push_back(fmt::format("protect: {{{}: true}}", environment));
      }
      if (lacks.empty()) continue;
      findings.Add(table.id, table.place, fmt::format("without {} in {}", List(lacks), environment),
                   List(fixes));
    }
  }
}

// ---- IA03: the syntax of snippets

void CheckInvalidHcl(const Subject& subject, Findings& findings) {
  for (const Snippet& snippet : subject.model.snippets) {
    if (snippet.language != "hcl") continue;
    const std::optional<HclError> error = CheckHcl(snippet.text);
    if (!error) continue;
    findings.Add("infrastructure", snippet.place,
                 fmt::format("line {} of the snippet: {}", error->line, error->message),
                 "each argument on a line of its own, or `stator generate terraform`");
  }
}

// ---- IA04: do the policies allow what the patterns do?

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
  return grant.patterns.empty() || Contains(grant.patterns, pattern.name);
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

}  // namespace

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

}  // namespace stator::model
