#include "model/parse/reference_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/parse/known_names.h"

namespace stator::model {
namespace {

AttributeScope MakeScope(const std::optional<std::vector<std::string_view>>& names,
                         std::string of) {
  AttributeScope scope{.any = !names, .of = std::move(of)};
  if (names) scope.names.insert(names->begin(), names->end());
  return scope;
}

}  // namespace

bool AttributeScope::Has(std::string_view path) const {
  return any || names.contains(path) || names.contains(path.substr(0, path.find_first_of(".[")));
}

ReferenceCheck::ReferenceCheck(Problems& problems, const Node& document, Model& model)
    : problems_(problems), locator_(document), model_(model) {
  for (const Table& table : model.tables) tables_.emplace(table.id, &table);
  for (const Entity& entity : model.entities) entities_.emplace(entity.name, &entity);
  for (const Pattern& pattern : model.patterns) patterns_.emplace(pattern.name, &pattern);
}

const Table* ReferenceCheck::FindTable(const std::string& id) const {
  const auto it = tables_.find(id);
  return it == tables_.end() ? nullptr : it->second;
}

const Entity* ReferenceCheck::FindEntity(const std::string& name) const {
  const auto it = entities_.find(name);
  return it == entities_.end() ? nullptr : it->second;
}

const AttributeScope& ReferenceCheck::ScopeOf(const Entity& entity) {
  const auto it = scopes_.find(&entity);
  if (it != scopes_.end()) return it->second;
  return scopes_.emplace(&entity, MakeScope(AttributeNames(model_, entity), entity.name))
      .first->second;
}

const AttributeScope& ReferenceCheck::ScopeOf(const Table& table) {
  const auto it = scopes_.find(&table);
  if (it != scopes_.end()) return it->second;
  return scopes_.emplace(&table, MakeScope(AttributeNames(model_, table), "table " + table.id))
      .first->second;
}

void ReferenceCheck::ReportAttribute(const AttributeScope& scope, std::string_view name,
                                     Place place) {
  if (problems_.full()) return;
  std::vector<std::string_view> valid(scope.names.begin(), scope.names.end());
  std::ranges::sort(valid);
  ReportUnknown(fmt::format("attribute of {}", scope.of), name, valid, place);
}

void ReferenceCheck::ReportUnknown(std::string_view what, std::string_view name,
                                   const std::vector<std::string_view>& valid, Place place) {
  problems_.AddUnknown(place, what, name, valid);
}

const Table* ReferenceCheck::RequireTable(const std::string& id, Path path) {
  const Table* table = FindTable(id);
  if (table == nullptr && !id.empty()) {
    ReportUnknown("table", id, TableNames(model_), locator_.Find(path, id));
  }
  return table;
}

const Entity* ReferenceCheck::RequireEntity(const std::string& name, Path path) {
  const Entity* entity = FindEntity(name);
  if (entity == nullptr && !name.empty()) {
    ReportUnknown("entity", name, EntityNames(model_), locator_.Find(path, name));
  }
  return entity;
}

const Index* ReferenceCheck::RequireIndex(const Table& table, const std::string& name, Path path) {
  const Index* index = table.FindIndex(name);
  if (index == nullptr) {
    ReportUnknown(fmt::format("index of table {}", table.id), name, IndexNames(table),
                  locator_.Find(path, name));
  }
  return index;
}

void ReferenceCheck::RequireAttributes(const AttributeScope& scope,
                                       const std::vector<std::string>& names, Path path) {
  for (const std::string& name : names) {
    if (scope.Has(name) || problems_.full()) continue;
    ReportAttribute(scope, name, locator_.Find(path, name));
  }
}

void ReferenceCheck::RequireTerm(const AttributeScope& scope, const Table& table, Term& term) {
  const AttributeScope* within = &scope;
  if (!term.entity.empty()) {
    const Entity* entity = FindEntity(term.entity);
    if (entity == nullptr && (scope.any || scope.Has(term.entity))) {
      term.attribute = fmt::format("{}.{}", std::exchange(term.entity, {}), term.attribute);
    } else if (entity == nullptr) {
      ReportUnknown("entity", term.entity, EntityNames(model_), term.place);
      return;
    } else if (entity->table != table.id) {
      problems_.Add(term.place, fmt::format("entity {} is in table {}, not in table {}",
                                            entity->name, entity->table, table.id));
      return;
    } else {
      within = &ScopeOf(*entity);
    }
  }
  if (!within->Has(term.attribute)) ReportAttribute(*within, term.attribute, term.place);
}

void ReferenceCheck::RequireTerms(const AttributeScope& scope, const Table& table,
                                  std::optional<Predicate>& predicate) {
  if (!predicate) return;
  for (std::vector<Term>& terms : predicate->any_of) {
    for (Term& term : terms) RequireTerm(scope, table, term);
  }
}

}  // namespace stator::model
