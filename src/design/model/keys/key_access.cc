#include "model/keys/key_access.h"

#include <algorithm>

#include "model/names.h"

namespace stator::model {
namespace {

void AddSources(const Entity& entity, const std::vector<const KeyAttribute*>& keys,
                std::vector<std::string>& sources) {
  for (const KeyAttribute* key : keys) {
    const KeyTemplate made = BaseTemplateFor(entity, key->name);
    for (const std::string& source : made.Sources()) {
      AddOnce(sources, source);
    }
  }
}

}  // namespace

bool KeySchema::Has(std::string_view attribute) const {
  const auto named = [&](const KeyAttribute* key) { return key->name == attribute; };
  return std::ranges::any_of(partition, named) || std::ranges::any_of(sort, named);
}

std::string KeySchema::Name() const {
  return index == nullptr ? table->id : table->id + "." + index->name;
}

KeySchema SchemaOf(const Table& table) {
  KeySchema schema{.table = &table};
  if (table.partition) schema.partition.push_back(&*table.partition);
  if (table.sort) schema.sort.push_back(&*table.sort);
  return schema;
}

KeySchema SchemaOf(const Table& table, const Index& index) {
  KeySchema schema{.table = &table, .index = &index};
  for (const KeyAttribute& key : index.partition) schema.partition.push_back(&key);
  for (const KeyAttribute& key : index.sort) schema.sort.push_back(&key);
  return schema;
}

KeySchema SchemaOf(const Table& table, const Index* index) {
  return index == nullptr ? SchemaOf(table) : SchemaOf(table, *index);
}

std::vector<KeySchema> SchemasOf(const Table& table) {
  std::vector<KeySchema> schemas = {SchemaOf(table)};
  for (const Index& index : table.indexes) schemas.push_back(SchemaOf(table, index));
  return schemas;
}

bool IsKeyOf(const Table& table, std::string_view attribute) {
  return (table.partition && table.partition->name == attribute) ||
         (table.sort && table.sort->name == attribute);
}

bool IsKeyOf(const Index& index, std::string_view attribute) {
  const auto named = [&](const KeyAttribute& key) { return key.name == attribute; };
  return std::ranges::any_of(index.partition, named) || std::ranges::any_of(index.sort, named);
}

Type TypeOfKey(const Table& table, std::string_view attribute) {
  const auto named = [&](const KeyAttribute& key) { return key.name == attribute; };
  if (table.partition && named(*table.partition)) return table.partition->type;
  if (table.sort && named(*table.sort)) return table.sort->type;
  for (const Index& index : table.indexes) {
    for (const auto* keys : {&index.partition, &index.sort}) {
      const auto it = std::ranges::find_if(*keys, named);
      if (it != keys->end()) return it->type;
    }
  }
  return Type::kS;
}

std::optional<KeyTemplate> TemplateFor(const Entity& entity, std::string_view key_attribute) {
  if (const KeyTemplate* made = entity.FindKey(key_attribute)) return *made;
  if (entity.FindAttribute(key_attribute) != nullptr) return KeyTemplate::Plain(key_attribute);
  return std::nullopt;
}

KeyTemplate BaseTemplateFor(const Entity& entity, std::string_view key_attribute) {
  if (const KeyTemplate* made = entity.FindKey(key_attribute)) return *made;
  return KeyTemplate::Plain(key_attribute);
}

bool Holds(const KeySchema& schema, const Entity& entity) {
  if (schema.index == nullptr) return true;
  const auto has = [&](const KeyAttribute* key) {
    return entity.FindKey(key->name) != nullptr || entity.FindAttribute(key->name) != nullptr ||
           SchemaOf(*schema.table).Has(key->name);
  };
  return std::ranges::all_of(schema.partition, has) && std::ranges::all_of(schema.sort, has);
}

std::vector<std::string> PartitionSources(const KeySchema& schema, const Entity& entity) {
  std::vector<std::string> sources;
  AddSources(entity, schema.partition, sources);
  return sources;
}

std::vector<std::string> KeySources(const KeySchema& schema, const Entity& entity) {
  std::vector<std::string> sources = PartitionSources(schema, entity);
  AddSources(entity, schema.sort, sources);
  return sources;
}

std::vector<std::string> ValuesOf(const Entity& entity, std::string_view attribute) {
  const Attribute* found = entity.FindAttribute(attribute);
  if (found != nullptr && !found->values.empty()) return found->values;
  if (found != nullptr && found->type == Type::kBool) return {"true", "false"};
  std::vector<std::string> states;
  if (entity.machine && entity.machine->attribute == attribute) {
    for (const State& state : entity.machine->states) states.push_back(state.name);
  }
  return states;
}

}  // namespace stator::model
