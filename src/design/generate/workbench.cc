// A data model of NoSQL Workbench for DynamoDB (its JSON, version 3.0).
#include <fmt/format.h>

#include <algorithm>

#include "generate/generate.h"
#include "generate/table_shape.h"
#include "generate/text.h"
#include "value/json_writer.h"

namespace stator::model {
namespace {

// The format wants dates; the same model must give the same file.
constexpr std::string_view kDate = "Jan 01, 2026, 12:00 AM";

void WriteAttribute(std::string_view name, Type type, JsonWriter& json) {
  json.BeginObject();
  json.Key("AttributeName").String(name);
  json.Key("AttributeType").String(TypeName(type));
  json.EndObject();
}

void WriteWorkbenchKeys(const std::vector<KeyElement>& schema, JsonWriter& json) {
  json.Key("KeyAttributes").BeginObject();
  for (const KeyElement& element : schema) {
    WriteAttribute(element.attribute.name, element.attribute.type,
                   json.Key(element.sorts ? "SortKey" : "PartitionKey"));
  }
  json.EndObject();
}

// Attributes beside the primary key: keys of indexes first, then those of the entities.
std::vector<KeyAttribute> OtherAttributes(const Model& model, const Table& table) {
  std::vector<KeyAttribute> others = AttributeDefinitionsOf(table);
  const std::size_t primary = KeySchemaOf(table).size();
  const auto add = [&](const std::string& name, Type type) {
    if (std::ranges::count(others, name, &KeyAttribute::name) == 0)
      others.push_back({name, type, {}});
  };
  for (const Entity* entity : model.EntitiesOf(table)) {
    for (const KeyTemplate& key : entity->keys) add(key.attribute, Type::kS);
    for (const Attribute& attribute : entity->attributes) add(attribute.name, attribute.type);
  }
  others.erase(others.begin(), others.begin() + static_cast<std::ptrdiff_t>(primary));
  return others;
}

// A facet is Workbench's word for one entity among those that share a table.
void WriteFacet(const Table& table, const Entity& entity, JsonWriter& json) {
  json.BeginObject();
  json.Key("FacetName").String(entity.name);
  json.Key("KeyAttributeAlias").BeginObject();
  json.Key("PartitionKeyAlias").String(KeyText(entity, table.partition->name));
  if (table.sort) json.Key("SortKeyAlias").String(KeyText(entity, table.sort->name));
  json.EndObject();
  json.Key("TableData").BeginArray().EndArray();
  json.Key("NonKeyAttributes").BeginArray();
  const auto is_primary = [&](const std::string& name) {
    return name == table.partition->name || (table.sort && name == table.sort->name);
  };
  for (const KeyTemplate& key : entity.keys) {
    if (!is_primary(key.attribute)) json.String(key.attribute);
  }
  for (const Attribute& attribute : entity.attributes) {
    if (!is_primary(attribute.name) && entity.FindKey(attribute.name) == nullptr) {
      json.String(attribute.name);
    }
  }
  json.EndArray();
  json.Key("DataAccess").BeginObject().Key("MySql").BeginObject().EndObject().EndObject();
  json.EndObject();
}

void WriteWorkbenchIndexes(const Table& table, const std::vector<const Index*>& indexes,
                           std::string_view member, JsonWriter& json) {
  json.Key(member).BeginArray();
  for (const Index* index : indexes) {
    if (HasSeveralAttributes(*index)) continue;
    json.BeginObject();
    json.Key("IndexName").String(index->name);
    WriteWorkbenchKeys(KeySchemaOf(table, *index), json);
    WriteProjection(index->projection, json.Key("Projection"));
    json.EndObject();
  }
  json.EndArray();
}

void WriteWorkbenchBilling(const Table& table, JsonWriter& json) {
  json.Key("BillingMode").String(table.provisioned ? "PROVISIONED" : "PAY_PER_REQUEST");
  if (!table.provisioned) return;
  json.Key("ProvisionedCapacitySettings").BeginObject();
  WriteThroughput(*table.provisioned, json.Key("ProvisionedThroughput"));
  json.EndObject();
}

void WriteWorkbenchTable(const Model& model, const Table& table, JsonWriter& json) {
  json.BeginObject();
  json.Key("TableName").String(table.name);
  WriteWorkbenchKeys(KeySchemaOf(table), json);
  json.Key("NonKeyAttributes").BeginArray();
  for (const KeyAttribute& attribute : OtherAttributes(model, table)) {
    WriteAttribute(attribute.name, attribute.type, json);
  }
  json.EndArray();
  json.Key("TableFacets").BeginArray();
  for (const Entity* entity : model.EntitiesOf(table)) WriteFacet(table, *entity, json);
  json.EndArray();
  WriteWorkbenchIndexes(table, GlobalIndexes(table), "GlobalSecondaryIndexes", json);
  if (const auto local = LocalIndexes(table); !local.empty()) {
    WriteWorkbenchIndexes(table, local, "LocalSecondaryIndexes", json);
  }
  json.Key("TableData").BeginArray().EndArray();
  json.Key("DataAccess").BeginObject().Key("MySql").BeginObject().EndObject().EndObject();
  WriteWorkbenchBilling(table, json);
  json.EndObject();
}

std::string DescriptionOf(const Model& model) {
  std::string out = "Made by `stator generate workbench`.";
  for (const Table& table : model.tables) {
    for (const Index& index : table.indexes) {
      if (!HasSeveralAttributes(index)) continue;
      out += fmt::format(" {}.{} is left out: this format has no keys of several attributes.",
                         table.name, index.name);
    }
  }
  return out;
}

}  // namespace

std::string GenerateWorkbench(const Model& model, const GenerateOptions&) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("ModelName").String(model.title.empty() ? "model" : model.title);
  json.Key("ModelMetadata").BeginObject();
  json.Key("Author").String("");
  json.Key("DateCreated").String(kDate);
  json.Key("DateLastModified").String(kDate);
  json.Key("Description").String(DescriptionOf(model));
  json.Key("AWSService").String("Amazon DynamoDB");
  json.Key("Version").String("3.0");
  json.EndObject();
  json.Key("DataModel").BeginArray();
  for (const Table& table : model.tables) WriteWorkbenchTable(model, table, json);
  json.EndArray();
  json.EndObject();
  return LayOutJson(out) + "\n";
}

}  // namespace stator::model
