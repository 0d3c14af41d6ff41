#include "model/parse/known_names.h"

#include <algorithm>
#include <string>

#include "model/parse/write_verbs.h"

namespace stator::model {
namespace {

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

}  // namespace

std::vector<std::string_view> TableNames(const Model& model) {
  return NamesOf(model.tables, &Table::id);
}
std::vector<std::string_view> IndexNames(const Table& table) {
  return NamesOf(table.indexes, &Index::name);
}
std::vector<std::string_view> EntityNames(const Model& model) {
  return NamesOf(model.entities, &Entity::name);
}
std::vector<std::string_view> PatternNames(const Model& model) {
  return NamesOf(model.patterns, &Pattern::name);
}

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

std::vector<std::string_view> VerbNames(const Entity& entity) {
  std::vector<std::string_view> names;
  for (const auto& [verb, kind] : kWriteVerbs) names.push_back(verb);
  if (entity.machine) Append(names, NamesOf(entity.machine->moves, &Move::name));
  return names;
}

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

}  // namespace stator::model
