// IA01, IA02, IA05: settings of tables that contradict each other or leave data in danger.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "rules/entity_keys.h"
#include "rules/infrastructure_rules.h"
#include "rules/phrases.h"

namespace stator::model {
namespace {

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

// Attribute → type of everything that is a key of the table or of an index.
std::map<std::string, Type> KeyTypes(const Table& table) {
  std::map<std::string, Type> types;
  for (const KeyAttribute* key : KeysOf(table)) types.emplace(key->name, key->type);
  for (const Index& index : table.indexes) {
    for (const KeyAttribute* key : KeysOf(index)) types.emplace(key->name, key->type);
  }
  return types;
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

}  // namespace

constinit const Rule kCapacityOnDemand{
    .id = "IA01",
    .title = "capacity set for an index of an on-demand table",
    .severity = Severity::kError,
    .check = CheckCapacityOnDemand,
    .lesson =
        "Read and write capacity belong to provisioned mode. On an on-demand table they are "
        "refused or ignored. And in provisioned mode an index's own write capacity matters: when "
        "it is used up, DynamoDB throttles the writes to the table itself, so an index with 5 "
        "WCU makes a table with 5 WCU.",
    .bad = R"(model: 1
tables:
  calls:
    key: id str
    billing: on_demand
    indexes:
      ByStatus: {pk: status str, project: all, capacity: {read: 5, write: 5}}
entities:
  Call:
    table: calls
    attrs: {id: str ulid, status: str 8 enum=open|done}
    volume: {total: 1000, per: {status: 500}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  open: {query: calls.ByStatus, of: Call, where: status = open, page: 25, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  calls:
    key: id str
    billing: {read: 5, write: 5}
    indexes:
      ByStatus: {pk: status str, project: all, capacity: {read: 5, write: 5}}
entities:
  Call:
    table: calls
    attrs: {id: str ulid, status: str 8 enum=open|done}
    volume: {total: 1000, per: {status: 500}}
patterns:
  add: {write: Call.create, guard: not_exists, rate: 10/day}
  open: {query: calls.ByStatus, of: Call, where: status = open, page: 25, rate: 10/day}
)",
};

constinit const Rule kAttributeDefinitions{
    .id = "IA02",
    .title = "attribute definitions that are not the key attributes",
    .severity = Severity::kError,
    .check = CheckAttributeDefinitions,
    .lesson =
        "AttributeDefinitions is not a schema of the items. It lists the attributes that are keys "
        "of the table or of an index, each once, with its type, and nothing else: CreateTable "
        "refuses one too many as well as one too few.",
    .bad = R"(model: 1
tables:
  jobs:
    key: FileID str
    attributes: [FileID str, Status str]
entities:
  Job:
    table: jobs
    attrs: {FileID: str 20, Status: str 8}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
    .good = R"(model: 1
tables:
  jobs:
    key: FileID str
    attributes: [FileID str]
entities:
  Job:
    table: jobs
    attrs: {FileID: str 20, Status: str 8}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
};

constinit const Rule kUnprotectedProduction{
    .id = "IA05",
    .title = "a production table without recovery or deletion protection",
    .severity = Severity::kWarning,
    .check = CheckUnprotectedProduction,
    .lesson =
        "Point-in-time recovery restores a table to any second of the last 35 days, into a new "
        "table. It is the only help after a bad deployment has rewritten items. Deletion "
        "protection stops the other accident, a table removed with its stack. Both cost little "
        "beside the data; test environments can do without.",
    .bad = R"(model: 1
assume: {env: [dev, prod]}
tables:
  jobs: {key: FileID str}
entities:
  Job:
    table: jobs
    attrs: {FileID: str 20}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
    .good = R"(model: 1
assume: {env: [dev, prod]}
tables:
  jobs: {key: FileID str, pitr: {prod: 35d}, protect: {prod: true}}
entities:
  Job:
    table: jobs
    attrs: {FileID: str 20}
    volume: {total: 1000}
patterns:
  add: {write: Job.create, guard: not_exists, rate: 10/day}
  read: {get: Job, rate: 10/day}
)",
};

}  // namespace stator::model
