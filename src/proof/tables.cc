#include "proof/tables.h"

#include <algorithm>
#include <map>

namespace stator::proof {
namespace {

using model::KeyAttribute;

KeySchemaElement Element(const std::string& name, KeyType type) {
  return {.attribute_name = name, .key_type = type};
}

ScalarType ScalarOf(Type type) {
  if (type == Type::kN) return ScalarType::kN;
  return type == Type::kB ? ScalarType::kB : ScalarType::kS;
}

std::vector<KeySchemaElement> SchemaOf(const model::Index& index) {
  std::vector<KeySchemaElement> schema;
  for (const KeyAttribute& key : index.partition)
    schema.push_back(Element(key.name, KeyType::kHash));
  for (const KeyAttribute& key : index.sort) schema.push_back(Element(key.name, KeyType::kRange));
  return schema;
}

IndexProjection ProjectionOf(const model::Index& index) {
  switch (index.projection.kind) {
    case model::Projection::Kind::kAll:
      return {.projection_type = ProjectionType::kAll};
    case model::Projection::Kind::kKeysOnly:
      return {.projection_type = ProjectionType::kKeysOnly};
    case model::Projection::Kind::kInclude:
      break;
  }
  return {.projection_type = ProjectionType::kInclude,
          .non_key_attributes = index.projection.attributes};
}

void AddIndexes(const model::Table& table, CreateTableRequest& request) {
  std::vector<LocalSecondaryIndex> local;
  std::vector<GlobalSecondaryIndex> global;
  for (const model::Index& index : table.indexes) {
    if (index.local) {
      local.push_back({index.name, SchemaOf(index), ProjectionOf(index)});
    } else {
      global.push_back({.index_name = index.name,
                        .key_schema = SchemaOf(index),
                        .projection = ProjectionOf(index)});
    }
  }
  if (!local.empty()) request.local_secondary_indexes = std::move(local);
  if (!global.empty()) request.global_secondary_indexes = std::move(global);
}

}  // namespace

std::string NameOf(const model::Table& table) { return "proof." + table.id; }

CreateTableRequest TableRequest(const model::Table& table) {
  CreateTableRequest request;
  request.table_name = NameOf(table);
  request.billing_mode = BillingMode::kPayPerRequest;
  std::map<std::string, Type> types;
  std::vector<KeySchemaElement> schema;
  if (table.partition) {
    schema.push_back(Element(table.partition->name, KeyType::kHash));
    types[table.partition->name] = table.partition->type;
  }
  if (table.sort) {
    schema.push_back(Element(table.sort->name, KeyType::kRange));
    types[table.sort->name] = table.sort->type;
  }
  for (const model::Index& index : table.indexes) {
    for (const KeyAttribute& key : index.partition) types[key.name] = key.type;
    for (const KeyAttribute& key : index.sort) types[key.name] = key.type;
  }
  std::vector<AttributeDefinition> definitions;
  for (const auto& [name, type] : types) definitions.push_back({name, ScalarOf(type)});
  request.key_schema = std::move(schema);
  request.attribute_definitions = std::move(definitions);
  AddIndexes(table, request);
  return request;
}

Item KeyOf(const model::Table& table, const Item& item) {
  Item key;
  for (const auto* attribute :
       {table.partition ? &*table.partition : nullptr, table.sort ? &*table.sort : nullptr}) {
    if (attribute == nullptr) continue;
    if (const auto value = item.Find(attribute->name)) {
      key.Set(attribute->name, AttributeValue::FromView(*value));
    }
  }
  return key;
}

}  // namespace stator::proof
