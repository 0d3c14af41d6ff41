#include "model/model.h"

#include <algorithm>

namespace stator::model {
namespace {

template <class Part, class Name>
const Part* FindBy(const std::vector<Part>& parts, Name Part::* name, std::string_view wanted) {
  const auto it =
      std::ranges::find_if(parts, [&](const Part& part) { return part.*name == wanted; });
  return it == parts.end() ? nullptr : &*it;
}

}  // namespace

const Index* Table::FindIndex(std::string_view index_name) const {
  return FindBy(indexes, &Index::name, index_name);
}
const State* Machine::FindState(std::string_view name) const {
  return FindBy(states, &State::name, name);
}
const Move* Machine::FindMove(std::string_view name) const {
  return FindBy(moves, &Move::name, name);
}
const Attribute* Entity::FindAttribute(std::string_view attribute_name) const {
  return FindBy(attributes, &Attribute::name, attribute_name);
}
const KeyTemplate* Entity::FindKey(std::string_view attribute_name) const {
  return FindBy(keys, &KeyTemplate::attribute, attribute_name);
}
const Table* Model::FindTable(std::string_view id) const { return FindBy(tables, &Table::id, id); }
const Entity* Model::FindEntity(std::string_view name) const {
  return FindBy(entities, &Entity::name, name);
}
const Pattern* Model::FindPattern(std::string_view name) const {
  return FindBy(patterns, &Pattern::name, name);
}

std::vector<const Entity*> Model::EntitiesOf(const Table& table) const {
  std::vector<const Entity*> found;
  for (const Entity& entity : entities) {
    if (entity.table == table.id) found.push_back(&entity);
  }
  return found;
}

}  // namespace stator::model
