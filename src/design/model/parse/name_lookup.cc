#include "model/parse/name_lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "model/parse/sections.h"
#include "model/parse/text_cursor.h"

namespace stator::model {
namespace {

const Node* Step(const Node& node, std::string_view key) {
  if (!node.IsList()) return node.Find(key);
  const auto position = ReadNumber(key);
  if (!position || *position < 0 || *position >= static_cast<double>(node.items.size())) {
    return nullptr;
  }
  return &node.items[static_cast<std::size_t>(*position)];
}

std::optional<Place> FindInside(const Node& node, std::string_view name) {
  if (node.IsText()) {
    const std::size_t offset = node.text.find(name);
    if (offset == std::string::npos) return std::nullopt;
    return node.At(offset);
  }
  for (const Node::Key& key : node.keys) {
    if (key.text == name) return key.place;
  }
  for (const Node& item : node.items) {
    if (const auto place = FindInside(item, name)) return place;
  }
  return std::nullopt;
}

template <class Part>
std::vector<std::string_view> NamesOf(const std::vector<Part>& parts, std::string Part::* name) {
  std::vector<std::string_view> names;
  names.reserve(parts.size());
  for (const Part& part : parts) names.push_back(part.*name);
  return names;
}

void Append(std::vector<std::string_view>& names, const std::vector<std::string_view>& more) {
  names.insert(names.end(), more.begin(), more.end());
}

// The key attributes of the table and of its indexes.
std::vector<std::string_view> KeyNames(const Table& table) {
  std::vector<std::string_view> names;
  if (table.partition) names.push_back(table.partition->name);
  if (table.sort) names.push_back(table.sort->name);
  for (const Index& index : table.indexes) {
    Append(names, NamesOf(index.partition, &KeyAttribute::name));
    Append(names, NamesOf(index.sort, &KeyAttribute::name));
  }
  return names;
}

// create, put … and the moves of the machine.
std::vector<std::string_view> VerbNames(const Entity& entity) {
  std::vector<std::string_view> names;
  for (const auto& [verb, kind] : kWriteVerbs) names.push_back(verb);
  if (entity.machine) Append(names, NamesOf(entity.machine->moves, &Move::name));
  return names;
}

// Attributes and keys. Nothing if the entity declares no attributes, and so may have any.
std::optional<std::vector<std::string_view>> AttributeNames(const Model& model,
                                                            const Entity& entity) {
  if (std::ranges::all_of(entity.attributes, &Attribute::implicit)) return std::nullopt;
  std::vector<std::string_view> names = NamesOf(entity.attributes, &Attribute::name);
  Append(names, NamesOf(entity.keys, &KeyTemplate::attribute));
  if (const Table* table = model.FindTable(entity.table)) {
    Append(names, KeyNames(*table));
    if (!table->ttl.empty()) names.push_back(table->ttl);
  }
  return names;
}

// The attributes of all entities of the table. Nothing if the table has no entities or one of them
// may have any attribute.
std::optional<std::vector<std::string_view>> AttributeNames(const Model& model,
                                                            const Table& table) {
  std::optional<std::vector<std::string_view>> names;
  for (const Entity* entity : model.EntitiesOf(table)) {
    const auto more = AttributeNames(model, *entity);
    if (!more) return std::nullopt;
    if (!names) names.emplace();
    Append(*names, *more);
  }
  return names;
}

template <class Part>
const Part* FindIn(const std::unordered_map<std::string_view, const Part*>& parts,
                   std::string_view name) {
  const auto it = parts.find(name);
  return it == parts.end() ? nullptr : it->second;
}

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

NameLookup::NameLookup(Problems& problems, const Node& document, const Model& model)
    : problems_(problems), document_(document), model_(model) {
  for (const Table& table : model.tables) tables_.emplace(table.id, &table);
  for (const Entity& entity : model.entities) entities_.emplace(entity.name, &entity);
  for (const Pattern& pattern : model.patterns) patterns_.emplace(pattern.name, &pattern);
}

const Table* NameLookup::FindTable(std::string_view id) const { return FindIn(tables_, id); }
const Entity* NameLookup::FindEntity(std::string_view name) const {
  return FindIn(entities_, name);
}
const Pattern* NameLookup::FindPattern(std::string_view name) const {
  return FindIn(patterns_, name);
}

const AttributeScope& NameLookup::ScopeOf(const Entity& entity) {
  const auto it = scopes_.find(&entity);
  if (it != scopes_.end()) return it->second;
  return scopes_.emplace(&entity, MakeScope(AttributeNames(model_, entity), entity.name))
      .first->second;
}

const AttributeScope& NameLookup::ScopeOf(const Table& table) {
  const auto it = scopes_.find(&table);
  if (it != scopes_.end()) return it->second;
  return scopes_.emplace(&table, MakeScope(AttributeNames(model_, table), "table " + table.id))
      .first->second;
}

Place NameLookup::PlaceOf(Path path, std::string_view name) const {
  const Node* node = &document_;
  for (const std::string_view key : path) {
    const Node* next = Step(*node, key);
    if (next == nullptr) return node->place;
    node = next;
  }
  return FindInside(*node, name).value_or(node->place);
}

const Table* NameLookup::RequireTable(const std::string& id, Path path) const {
  const Table* table = FindTable(id);
  if (table == nullptr && !id.empty()) {
    problems_.AddUnknown(PlaceOf(path, id), "table", id, NamesOf(model_.tables, &Table::id));
  }
  return table;
}

const Entity* NameLookup::RequireEntity(const std::string& name, Path path) const {
  const Entity* entity = FindEntity(name);
  if (entity == nullptr && !name.empty()) ReportEntity(name, PlaceOf(path, name));
  return entity;
}

const Index* NameLookup::RequireIndex(const Table& table, const std::string& name,
                                      Path path) const {
  const Index* index = table.FindIndex(name);
  if (index == nullptr) {
    problems_.AddUnknown(PlaceOf(path, name), fmt::format("index of table {}", table.id), name,
                         NamesOf(table.indexes, &Index::name));
  }
  return index;
}

const Pattern* NameLookup::RequirePattern(const std::string& name, Path path) const {
  const Pattern* pattern = FindPattern(name);
  if (pattern == nullptr) {
    problems_.AddUnknown(PlaceOf(path, name), "pattern", name,
                         NamesOf(model_.patterns, &Pattern::name));
  }
  return pattern;
}

void NameLookup::RequireAttributes(const AttributeScope& scope,
                                   const std::vector<std::string>& names, Path path) const {
  for (const std::string& name : names) {
    if (scope.Has(name) || problems_.full()) continue;
    ReportAttribute(scope, name, PlaceOf(path, name));
  }
}

void NameLookup::ReportAttribute(const AttributeScope& scope, std::string_view name,
                                 Place place) const {
  if (problems_.full()) return;
  std::vector<std::string_view> valid(scope.names.begin(), scope.names.end());
  std::ranges::sort(valid);
  problems_.AddUnknown(place, fmt::format("attribute of {}", scope.of), name, valid);
}

void NameLookup::ReportEntity(std::string_view name, Place place) const {
  problems_.AddUnknown(place, "entity", name, NamesOf(model_.entities, &Entity::name));
}

void NameLookup::ReportVerb(const Entity& entity, std::string_view verb, Place place) const {
  problems_.AddUnknown(place, fmt::format("write of {}", entity.name), verb, VerbNames(entity));
}

}  // namespace stator::model
