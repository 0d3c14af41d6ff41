#include "model/parse/references.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "model/parse/known_names.h"
#include "model/parse/nearest_name.h"
#include "model/parse/reference_check.h"

namespace stator::model {

void ReferenceCheck::CheckTables() {
  std::unordered_map<std::string_view, const Table*> by_name;
  for (Table& table : model_.tables) {
    const auto [first, is_new] = by_name.emplace(table.name, &table);
    if (!is_new) {
      problems_.Add(locator_.Find({"tables", table.id, "name"}, table.name),
                    fmt::format("tables {} and {} are both called `{}`", first->second->id,
                                table.id, table.name));
    }
    for (Index& index : table.indexes) CheckIndex(table, index);
  }
}

void ReferenceCheck::CheckIndex(const Table& table, Index& index) {
  const AttributeScope& scope = ScopeOf(table);
  RequireAttributes(scope, index.projection.attributes,
                    {"tables", table.id, "indexes", index.name, "project"});
  if (index.sparse) RequireTerms(scope, table, index.sparse->when);
  if (index.shards && !index.shards->by.empty()) {
    RequireAttributes(scope, {index.shards->by},
                      {"tables", table.id, "indexes", index.name, "shards", "by"});
  }
}

void ReferenceCheck::CheckEntities() {
  for (Entity& entity : model_.entities) CheckEntity(entity);
}

void ReferenceCheck::CheckEntity(Entity& entity) {
  RequireTable(entity.table, {"entities", entity.name, "table"});
  const AttributeScope& scope = ScopeOf(entity);
  for (const auto& unique : entity.unique) {
    RequireAttributes(scope, unique, {"entities", entity.name, "unique"});
  }
  for (const auto& [names, amount] : entity.volume.per) {
    RequireAttributes(scope, names, {"entities", entity.name, "volume", "per"});
  }
  for (const std::string& name : entity.rekey) {
    const bool move = entity.machine && entity.machine->FindMove(name) != nullptr;
    if (move || patterns_.contains(name)) continue;
    ReportUnknown("pattern", name, PatternNames(model_),
                  locator_.Find({"entities", entity.name, "rekey"}, name));
  }
  for (const Attribute& attribute : entity.attributes) {
    const Path path = {"entities", entity.name, "attrs", attribute.name};
    if (!attribute.canonical_in.empty()) RequireEntity(attribute.canonical_in, path);
    // What `->` names may live outside the model; a near miss is a slip all the same.
    const std::string& target = attribute.refers_to;
    if (target.empty() || FindEntity(target) != nullptr) continue;
    const auto valid = EntityNames(model_);
    if (!NearestName(target, valid).empty()) {
      ReportUnknown("entity", target, valid, locator_.Find(path, target));
    }
  }
}

void ReferenceCheck::CheckMigrations() {
  for (std::size_t i = 0; i < model_.migrations.size(); ++i) {
    const Migration& migration = model_.migrations[i];
    const std::string at = std::to_string(i);
    const Table* table = RequireTable(migration.table, {"migrations", at});
    // An index that is removed need not be in the model any more.
    if (table != nullptr && migration.kind == Migration::Kind::kAddIndex) {
      RequireIndex(*table, migration.index, {"migrations", at, "add_index"});
    }
    if (const Entity* entity = RequireEntity(migration.entity, {"migrations", at})) {
      RequireAttributes(ScopeOf(*entity), migration.attributes, {"migrations", at});
    }
  }
}

void ReferenceCheck::CheckGrants() {
  for (const Grant& grant : model_.grants) {
    const Table* table = RequireTable(grant.table, {"grants", grant.who});
    for (const std::string& index : grant.indexes) {
      if (table != nullptr && index != "*") RequireIndex(*table, index, {"grants", grant.who});
    }
    for (const std::string& name : grant.patterns) {
      if (patterns_.contains(name)) continue;
      ReportUnknown("pattern", name, PatternNames(model_),
                    locator_.Find({"grants", grant.who, "patterns"}, name));
    }
  }
}

void CheckReferences(Problems& problems, const Node& document, Model& model) {
  ReferenceCheck check(problems, document, model);
  check.CheckTables();
  check.CheckEntities();
  check.CheckPatterns();
  check.CheckMigrations();
  check.CheckGrants();
}

}  // namespace stator::model
