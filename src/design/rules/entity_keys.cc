#include "rules/entity_keys.h"

#include <algorithm>
#include <map>
#include <utility>

#include "model/names.h"

namespace stator::model {
namespace {

bool Projects(const Table& table, const Index& index, std::string_view attribute) {
  const Projection& projection = index.projection;
  if (projection.kind == Projection::Kind::kAll) return true;
  if (projection.kind == Projection::Kind::kInclude && Contains(projection.attributes, attribute)) {
    return true;
  }
  const auto is_it = [&](const KeyAttribute* key) { return key->name == attribute; };
  return std::ranges::any_of(KeysOf(index), is_it) || std::ranges::any_of(KeysOf(table), is_it);
}

}  // namespace

std::vector<std::string> KeySources(const Entity& entity, std::string_view key_attribute) {
  if (const KeyTemplate* key = entity.FindKey(key_attribute)) return key->Sources();
  if (entity.FindAttribute(key_attribute) == nullptr) return {};
  return {std::string(key_attribute)};
}

bool Fills(const Entity& entity, std::string_view key_attribute) {
  return entity.FindKey(key_attribute) != nullptr || entity.FindAttribute(key_attribute) != nullptr;
}

bool IsComputed(const Entity& entity, std::string_view key_attribute) {
  const KeyTemplate* key = entity.FindKey(key_attribute);
  return key != nullptr && !(key->IsPlain() && key->Uses(key_attribute));
}

std::vector<const KeyAttribute*> KeysOf(const Index& index) {
  std::vector<const KeyAttribute*> keys;
  for (const KeyAttribute& key : index.partition) keys.push_back(&key);
  for (const KeyAttribute& key : index.sort) keys.push_back(&key);
  return keys;
}

std::vector<const KeyAttribute*> KeysOf(const Table& table) {
  std::vector<const KeyAttribute*> keys;
  if (table.partition) keys.push_back(&*table.partition);
  if (table.sort) keys.push_back(&*table.sort);
  return keys;
}

bool IsIn(const Entity& entity, const Index& index) {
  return std::ranges::all_of(KeysOf(index),
                             [&](const KeyAttribute* key) { return Fills(entity, key->name); });
}

std::vector<const Entity*> EntitiesIn(const Model& model, const Table& table, const Index& index) {
  std::vector<const Entity*> entities = model.EntitiesOf(table);
  std::erase_if(entities, [&](const Entity* entity) { return !IsIn(*entity, index); });
  return entities;
}

std::vector<std::string> SourcesOf(const Entity& entity,
                                   const std::vector<const KeyAttribute*>& keys) {
  std::vector<std::string> sources;
  for (const KeyAttribute* key : keys) {
    for (const std::string& source : KeySources(entity, key->name)) {
      AddOnce(sources, source);
    }
  }
  return sources;
}

bool Offers(const Table& table, const Index& index, const Entity& entity,
            std::string_view attribute) {
  if (Projects(table, index, attribute)) return true;
  const Attribute* declared = entity.FindAttribute(attribute);
  return std::ranges::any_of(entity.keys, [&](const KeyTemplate& key) {
    if (!key.Uses(attribute) || !Projects(table, index, key.attribute)) return false;
    return key.IsPlain() || (declared != nullptr && declared->implicit);
  });
}

std::vector<KeyUse> KeyUses(const Model& model) {
  std::vector<KeyUse> uses;
  for (const Entity& entity : model.entities) {
    const Table* table = model.FindTable(entity.table);
    if (table == nullptr) continue;
    for (const KeySchema& schema : SchemasOf(*table)) {
      if (!Holds(schema, entity)) continue;
      for (const bool sort : {false, true}) {
        for (const KeyAttribute* key : sort ? schema.sort : schema.partition) {
          uses.push_back({.schema = schema,
                          .entity = &entity,
                          .key = key,
                          .sort = sort,
                          .made = BaseTemplateFor(entity, key->name)});
        }
      }
    }
  }
  return uses;
}

std::vector<KeyUse> DistinctKeyUses(const Model& model) {
  std::vector<KeyUse> distinct;
  std::map<std::pair<const Entity*, std::string>, std::size_t> seen;
  for (KeyUse& use : KeyUses(model)) {
    const auto [it, is_new] = seen.try_emplace({use.entity, use.key->name}, distinct.size());
    if (is_new) {
      distinct.push_back(std::move(use));
    } else if (use.sort && !distinct[it->second].sort) {
      distinct[it->second] = std::move(use);
    }
  }
  return distinct;
}

bool IsTime(Unit unit) {
  switch (unit) {
    case Unit::kEpochSeconds:
    case Unit::kEpochMilliseconds:
    case Unit::kDate:
    case Unit::kIsoSeconds:
    case Unit::kIsoMilliseconds:
    case Unit::kIsoTime:
      return true;
    case Unit::kNone:
    case Unit::kInteger:
    case Unit::kUlid:
    case Unit::kUuid:
      return false;
  }
  return false;
}

}  // namespace stator::model
