#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/names.h"
#include "model/parse/name_lookup.h"
#include "model/parse/sections.h"

namespace stator::model {
namespace {

std::string OtherTable(const Entity& entity, const Table& table) {
  return fmt::format("entity {} is in table {}, not in table {}", entity.name, entity.table,
                     table.id);
}

class ReferenceCheck {
 public:
  ReferenceCheck(Problems& problems, const Node& document, Model& model)
      : problems_(problems), names_(problems, document, model), model_(model) {}

  void CheckTables();
  void CheckEntities();
  void CheckPatterns();
  void CheckMigrations();
  void CheckGrants();

 private:
  void CheckIndex(const Table& table, Index& index);
  void CheckEntity(Entity& entity);
  void CheckReferredEntity(const Entity& entity, const Attribute& attribute);
  void CheckRead(Pattern& pattern);
  void CheckReadSource(Pattern& pattern);
  void CheckReadEntity(const Pattern& pattern, const std::string& name, const Table& table);
  void CheckReadNames(Pattern& pattern, const Table& table);
  void CheckWrite(Pattern& pattern);
  void CheckVerb(const Pattern& pattern, const Entity& entity);
  void CheckTransaction(const Pattern& pattern);
  void CheckTerm(const AttributeScope& scope, const Table& table, Term& term);
  void CheckTerms(const AttributeScope& scope, const Table& table,
                  std::optional<Predicate>& predicate);

  Problems& problems_;
  NameLookup names_;
  Model& model_;
};

// `a.b` is a path into the map `a` unless an entity is called `a`.
void ReferenceCheck::CheckTerm(const AttributeScope& scope, const Table& table, Term& term) {
  const AttributeScope* within = &scope;
  if (!term.entity.empty()) {
    const Entity* entity = names_.FindEntity(term.entity);
    if (entity == nullptr && (scope.any || scope.Has(term.entity))) {
      term.attribute = fmt::format("{}.{}", std::exchange(term.entity, {}), term.attribute);
    } else if (entity == nullptr) {
      names_.ReportEntity(term.entity, term.place);
      return;
    } else if (entity->table != table.id) {
      problems_.Add(term.place, OtherTable(*entity, table));
      return;
    } else {
      within = &names_.ScopeOf(*entity);
    }
  }
  if (!within->Has(term.attribute)) names_.ReportAttribute(*within, term.attribute, term.place);
}

void ReferenceCheck::CheckTerms(const AttributeScope& scope, const Table& table,
                                std::optional<Predicate>& predicate) {
  if (!predicate) return;
  for (std::vector<Term>& terms : predicate->any_of) {
    for (Term& term : terms) CheckTerm(scope, table, term);
  }
}

void ReferenceCheck::CheckTables() {
  std::unordered_map<std::string_view, const Table*> by_name;
  for (Table& table : model_.tables) {
    const auto [first, is_new] = by_name.emplace(table.name, &table);
    if (!is_new) {
      problems_.Add(names_.PlaceOf({"tables", table.id, "name"}, table.name),
                    fmt::format("tables {} and {} are both called `{}`", first->second->id,
                                table.id, table.name));
    }
    for (Index& index : table.indexes) CheckIndex(table, index);
  }
}

void ReferenceCheck::CheckIndex(const Table& table, Index& index) {
  const AttributeScope& scope = names_.ScopeOf(table);
  names_.RequireAttributes(scope, index.projection.attributes,
                           {"tables", table.id, "indexes", index.name, "project"});
  if (index.sparse) CheckTerms(scope, table, index.sparse->when);
  if (index.shards && !index.shards->by.empty()) {
    names_.RequireAttributes(scope, {index.shards->by},
                             {"tables", table.id, "indexes", index.name, "shards", "by"});
  }
}

void ReferenceCheck::CheckEntities() {
  for (Entity& entity : model_.entities) CheckEntity(entity);
}

void ReferenceCheck::CheckEntity(Entity& entity) {
  names_.RequireTable(entity.table, {"entities", entity.name, "table"});
  const AttributeScope& scope = names_.ScopeOf(entity);
  for (const auto& unique : entity.unique) {
    names_.RequireAttributes(scope, unique, {"entities", entity.name, "unique"});
  }
  for (const auto& [names, amount] : entity.volume.per) {
    names_.RequireAttributes(scope, names, {"entities", entity.name, "volume", "per"});
  }
  for (const auto& [name, share] : entity.volume.skew) {
    names_.RequireAttributes(scope, {name}, {"entities", entity.name, "volume", "skew"});
  }
  for (const std::string& name : entity.rekey) {
    const bool move = entity.machine && entity.machine->FindMove(name) != nullptr;
    if (!move) names_.RequirePattern(name, {"entities", entity.name, "rekey"});
  }
  for (const Attribute& attribute : entity.attributes) CheckReferredEntity(entity, attribute);
}

void ReferenceCheck::CheckReferredEntity(const Entity& entity, const Attribute& attribute) {
  const Path path = {"entities", entity.name, "attrs", attribute.name};
  if (!attribute.canonical_in.empty()) names_.RequireEntity(attribute.canonical_in, path);
  // `->` may name something outside the model, but a near miss is a slip.
  const std::string& target = attribute.refers_to;
  if (target.empty() || names_.FindEntity(target) != nullptr) return;
  std::vector<std::string_view> valid;
  for (const Entity& known : model_.entities) valid.push_back(known.name);
  if (!NearestName(target, valid).empty()) names_.RequireEntity(target, path);
}

void ReferenceCheck::CheckMigrations() {
  for (std::size_t i = 0; i < model_.migrations.size(); ++i) {
    const Migration& migration = model_.migrations[i];
    const std::string at = std::to_string(i);
    const Table* table = names_.RequireTable(migration.table, {"migrations", at});
    // An index that is removed need not be in the model any more.
    if (table != nullptr && migration.kind == Migration::Kind::kAddIndex) {
      names_.RequireIndex(*table, migration.index, {"migrations", at, "add_index"});
    }
    if (const Entity* entity = names_.RequireEntity(migration.entity, {"migrations", at})) {
      names_.RequireAttributes(names_.ScopeOf(*entity), migration.attributes, {"migrations", at});
    }
  }
}

void ReferenceCheck::CheckGrants() {
  for (const Grant& grant : model_.grants) {
    const Table* table = names_.RequireTable(grant.table, {"grants", grant.who});
    for (const std::string& index : grant.indexes) {
      if (table != nullptr && index != "*")
        names_.RequireIndex(*table, index, {"grants", grant.who});
    }
    for (const std::string& name : grant.patterns) {
      names_.RequirePattern(name, {"grants", grant.who, "patterns"});
    }
  }
}

void ReferenceCheck::CheckPatterns() {
  for (Pattern& pattern : model_.patterns) {
    switch (pattern.kind) {
      case PatternKind::kGet:
      case PatternKind::kQuery:
      case PatternKind::kScan:
        CheckRead(pattern);
        break;
      case PatternKind::kWrite:
        CheckWrite(pattern);
        break;
      case PatternKind::kTransaction:
        CheckTransaction(pattern);
        break;
    }
  }
}

void ReferenceCheck::CheckRead(Pattern& pattern) {
  ReadDetail& read = pattern.read;
  if (pattern.kind == PatternKind::kGet) {
    const Entity* entity = names_.RequireEntity(pattern.entity, {"patterns", pattern.name, "get"});
    if (entity == nullptr) return;
    read.table = entity->table;
  } else {
    CheckReadSource(pattern);
  }
  if (const Table* table = names_.FindTable(read.table)) CheckReadNames(pattern, *table);
}

void ReferenceCheck::CheckReadSource(Pattern& pattern) {
  ReadDetail& read = pattern.read;
  const std::string_view kind = pattern.kind == PatternKind::kQuery ? "query" : "scan";
  const Table* table = names_.RequireTable(read.table, {"patterns", pattern.name, kind});
  if (table == nullptr) return;
  if (!read.index.empty())
    names_.RequireIndex(*table, read.index, {"patterns", pattern.name, kind});
  for (const std::string& name : pattern.entities) CheckReadEntity(pattern, name, *table);
  if (pattern.entity.empty() && pattern.entities.empty()) {
    for (const Term& term : read.where) {
      if (pattern.entity.empty() && names_.FindEntity(term.entity) != nullptr) {
        pattern.entity = term.entity;
      }
    }
  }
  CheckReadEntity(pattern, pattern.entity, *table);
}

void ReferenceCheck::CheckReadEntity(const Pattern& pattern, const std::string& name,
                                     const Table& table) {
  const Path path = {"patterns", pattern.name, "of"};
  const Entity* entity = names_.RequireEntity(name, path);
  if (entity != nullptr && entity->table != table.id) {
    problems_.Add(names_.PlaceOf(path, name), OtherTable(*entity, table));
  }
}

void ReferenceCheck::CheckReadNames(Pattern& pattern, const Table& table) {
  ReadDetail& read = pattern.read;
  const Entity* entity = names_.FindEntity(pattern.entity);
  // A term that names no entity may mean any entity of the table.
  const AttributeScope& all = names_.ScopeOf(table);
  const AttributeScope& scope = entity != nullptr ? names_.ScopeOf(*entity) : all;
  const auto require = [&](std::string_view field, const std::vector<std::string>& names) {
    names_.RequireAttributes(scope, names, {"patterns", pattern.name, field});
  };
  require("by", pattern.by);
  require("needs", read.needs);
  if (!pattern.scope.empty()) require("scope", {pattern.scope});
  if (!read.order_by.empty()) require("order_by", {read.order_by});
  if (!read.foreach_attribute.empty()) require("foreach", {read.foreach_attribute});
  for (Term& term : read.where) CheckTerm(scope, table, term);
  CheckTerms(scope, table, read.filter);
  CheckTerms(scope, table, read.finds);
  if (read.then_get) names_.RequireEntity(*read.then_get, {"patterns", pattern.name, "then_get"});
}

void ReferenceCheck::CheckWrite(Pattern& pattern) {
  WriteDetail& write = pattern.write;
  const Entity* entity = names_.RequireEntity(pattern.entity, {"patterns", pattern.name, "write"});
  if (entity == nullptr) return;
  CheckVerb(pattern, *entity);
  const AttributeScope& scope = names_.ScopeOf(*entity);
  const auto require = [&](std::string_view field, const std::vector<std::string>& names) {
    names_.RequireAttributes(scope, names, {"patterns", pattern.name, field});
  };
  require("by", pattern.by);
  require("sets", write.sets);
  require("removes", write.removes);
  require("adds", write.adds);
  require("empty_sets", write.empty_sets);
  if (write.derives) require("derives", *write.derives);
  if (!pattern.scope.empty()) require("scope", {pattern.scope});
  if (const Table* table = names_.FindTable(entity->table)) {
    CheckTerms(scope, *table, write.condition);
  }
}

void ReferenceCheck::CheckVerb(const Pattern& pattern, const Entity& entity) {
  const WriteDetail& write = pattern.write;
  if (write.kind != WriteKind::kMove) return;
  if (entity.machine && entity.machine->FindMove(write.move) != nullptr) return;
  names_.ReportVerb(entity, write.move,
                    names_.PlaceOf({"patterns", pattern.name, "write"}, write.move));
}

void ReferenceCheck::CheckTransaction(const Pattern& pattern) {
  if (pattern.parts.empty()) {
    problems_.Add(pattern.place, fmt::format("transaction `{}` names no patterns", pattern.name));
  }
  for (const std::string& part : pattern.parts) {
    const Path path = {"patterns", pattern.name, "transaction"};
    if (part == pattern.name) {
      problems_.Add(names_.PlaceOf(path, part),
                    fmt::format("transaction `{}` contains itself", part));
      continue;
    }
    const Pattern* inner = names_.RequirePattern(part, path);
    if (inner != nullptr && inner->kind == PatternKind::kTransaction) {
      problems_.Add(names_.PlaceOf(path, part),
                    fmt::format("`{}` is a transaction itself; they do not nest", part),
                    "name its patterns instead");
    }
  }
}

}  // namespace

void CheckReferences(Problems& problems, const Node& document, Model& model) {
  ReferenceCheck check(problems, document, model);
  check.CheckTables();
  check.CheckEntities();
  check.CheckPatterns();
  check.CheckMigrations();
  check.CheckGrants();
}

}  // namespace stator::model
