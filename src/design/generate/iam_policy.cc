// IAM: exactly what the patterns need, index ARNs included.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "generate/generate.h"
#include "generate/identifiers.h"
#include "generate/text.h"
#include "model/plan/plan.h"
#include "value/json_writer.h"

namespace stator::model {
namespace {

using Actions = std::set<std::string>;

// The operations of one subject on one table.
struct Access {
  Actions on_table;
  std::map<std::string, Actions> on_indexes;
};
using AccessByTable = std::map<const Table*, Access>;

void AddPlan(const Model& model, const Plan& plan, AccessByTable& out) {
  for (const Plan& part : plan.parts) AddPlan(model, part, out);
  if (plan.table == nullptr || !plan.parts.empty() || plan.pattern == nullptr) return;
  Access& access = out[plan.table];
  Actions& actions = plan.index == nullptr ? access.on_table : access.on_indexes[plan.index->name];
  PlanActions needed = ActionsOf(plan);
  actions.merge(needed.own);
  access.on_table.merge(needed.beside);
  if (!plan.pattern->read.then_get) return;
  if (const Entity* then = model.FindEntity(*plan.pattern->read.then_get)) {
    if (const Table* table = model.FindTable(then->table)) out[table].on_table.insert("GetItem");
  }
}

void AddForEntity(const Model& model, const Plan& plan, const Entity& entity, AccessByTable& out) {
  for (const Plan& part : plan.parts) AddForEntity(model, part, entity, out);
  if (plan.parts.empty() && Concerns(plan, entity)) AddPlan(model, plan, out);
}

AccessByTable AccessOf(const Model& model, const std::vector<Plan>& plans, const Entity& entity) {
  AccessByTable out;
  for (const Plan& plan : plans) AddForEntity(model, plan, entity, out);
  return out;
}

AccessByTable AccessOf(const Model& model, const std::vector<Plan>& plans, const Grant& grant) {
  AccessByTable out;
  for (const Plan& plan : plans) {
    if (plan.pattern == nullptr) continue;
    const bool listed = std::ranges::count(grant.patterns, plan.pattern->name) > 0;
    const bool everything =
        grant.patterns.empty() &&
        (plan.table != nullptr ? plan.table->id == grant.table : !plan.parts.empty());
    if (listed || everything) AddPlan(model, plan, out);
  }
  if (grant.patterns.empty()) {
    std::erase_if(out, [&](const auto& entry) { return entry.first->id != grant.table; });
  }
  return out;
}

class Policy {
 public:
  Policy(const Model& model, const GenerateOptions& options) : model_(model), options_(options) {
    json_.BeginObject();
    json_.Key("Version").String("2012-10-17");
    json_.Key("Statement").BeginArray();
  }

  void Add(const std::string& who, const AccessByTable& accesses) {
    for (const Table& table : model_.tables) {
      const auto it = accesses.find(&table);
      if (it == accesses.end()) continue;
      const std::string arn = fmt::format("arn:aws:dynamodb:{}:{}:table/{}", model_.assume.region,
                                          options_.account, table.name);
      const std::string sid = PascalName(who) + PascalName(table.id);
      if (!it->second.on_table.empty()) Statement(sid, it->second.on_table, {arn});
      // Indexes with the same operations share a statement.
      std::map<Actions, std::vector<std::string>> by_actions;
      for (const auto& [index, actions] : it->second.on_indexes) {
        by_actions[actions].push_back(arn + "/index/" + index);
      }
      for (const auto& [actions, arns] : by_actions) {
        if (!actions.empty()) Statement(sid + "Indexes", actions, arns);
      }
    }
  }

  std::string Take() {
    json_.EndArray();
    json_.EndObject();
    return LayOutJson(out_) + "\n";
  }

 private:
  void Statement(const std::string& sid, const Actions& actions,
                 const std::vector<std::string>& resources) {
    json_.BeginObject();
    json_.Key("Sid").String(sids_.Add(sid));
    json_.Key("Effect").String("Allow");
    json_.Key("Action").BeginArray();
    for (const std::string& action : actions) json_.String("dynamodb:" + action);
    json_.EndArray();
    json_.Key("Resource").BeginArray();
    for (const std::string& resource : resources) json_.String(resource);
    json_.EndArray();
    json_.EndObject();
  }

  const Model& model_;
  const GenerateOptions& options_;
  std::string out_;
  JsonWriter json_{out_};
  NameSet sids_;
};

}  // namespace

std::string GenerateIamPolicy(const Model& model, const std::vector<Plan>& plans,
                              const GenerateOptions& options) {
  Policy policy(model, options);
  for (const Grant& grant : model.grants) {
    if (options.subject.empty() || grant.who == options.subject) {
      policy.Add(grant.who, AccessOf(model, plans, grant));
    }
  }
  for (const Entity& entity : model.entities) {
    const bool wanted =
        options.subject.empty() ? model.grants.empty() : entity.name == options.subject;
    if (wanted) policy.Add(entity.name, AccessOf(model, plans, entity));
  }
  return policy.Take();
}

}  // namespace stator::model
