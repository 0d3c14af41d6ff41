#include "rules/key_uses.h"

#include <map>
#include <utility>

namespace stator::model {

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

}  // namespace stator::model
