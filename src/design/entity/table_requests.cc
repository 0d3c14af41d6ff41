#include "entity/table_requests.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "generate/table_shape.h"

namespace stator::entity {
namespace {

std::vector<KeySchemaElement> SchemaOf(const std::vector<model::KeyElement>& elements) {
  std::vector<KeySchemaElement> schema;
  for (const model::KeyElement& element : elements) {
    schema.push_back({.attribute_name = element.attribute.name,
                      .key_type = element.sorts ? KeyType::kRange : KeyType::kHash});
  }
  return schema;
}

IndexProjection ProjectionOf(const model::Index& index) {
  switch (index.projection.kind) {
    case model::Projection::Kind::kKeysOnly:
      return {.projection_type = ProjectionType::kKeysOnly, .non_key_attributes = std::nullopt};
    case model::Projection::Kind::kInclude:
      return {.projection_type = ProjectionType::kInclude,
              .non_key_attributes = index.projection.attributes};
    case model::Projection::Kind::kAll:
      break;
  }
  return {.projection_type = ProjectionType::kAll, .non_key_attributes = std::nullopt};
}

ProvisionedThroughput ThroughputOf(const model::Capacity& capacity) {
  return {.read_capacity_units = std::llround(std::max(1.0, capacity.read)),
          .write_capacity_units = std::llround(std::max(1.0, capacity.write))};
}

StreamViewType ViewOf(const std::string& view) {
  if (view == "KEYS_ONLY") return StreamViewType::kKeysOnly;
  if (view == "NEW_IMAGE") return StreamViewType::kNewImage;
  if (view == "OLD_IMAGE") return StreamViewType::kOldImage;
  return StreamViewType::kNewAndOldImages;
}

}  // namespace

ScalarType ScalarOf(Type type) {
  if (type == Type::kN) return ScalarType::kN;
  return type == Type::kB ? ScalarType::kB : ScalarType::kS;
}

std::vector<AttributeDefinition> MakeDefinitions(const model::Table& table,
                                                 const std::vector<const model::Index*>& indexes) {
  std::vector<AttributeDefinition> definitions;
  for (const model::KeyAttribute& key : model::AttributeDefinitionsOf(table, indexes)) {
    definitions.push_back({.attribute_name = key.name, .attribute_type = ScalarOf(key.type)});
  }
  return definitions;
}

GlobalSecondaryIndex MakeGlobalIndex(const model::Table& table, const model::Index& index) {
  GlobalSecondaryIndex made;
  made.index_name = index.name;
  made.key_schema = SchemaOf(model::KeySchemaOf(table, index));
  made.projection = ProjectionOf(index);
  if (const std::optional<model::Capacity> capacity = model::CapacityOf(table, index)) {
    made.provisioned_throughput = ThroughputOf(*capacity);
  }
  return made;
}

CreateTableRequest MakeCreateTable(const model::Table& table, const std::string& table_name,
                                   const std::string& environment) {
  CreateTableRequest request;
  request.table_name = table_name;
  request.key_schema = SchemaOf(model::KeySchemaOf(table));
  std::vector<const model::Index*> indexes;
  for (const model::Index& index : table.indexes) {
    indexes.push_back(&index);
    if (index.local) {
      if (!request.local_secondary_indexes) request.local_secondary_indexes.emplace();
      request.local_secondary_indexes->push_back(
          {.index_name = index.name,
           .key_schema = SchemaOf(model::KeySchemaOf(table, index)),
           .projection = ProjectionOf(index)});
    } else {
      if (!request.global_secondary_indexes) request.global_secondary_indexes.emplace();
      request.global_secondary_indexes->push_back(MakeGlobalIndex(table, index));
    }
  }
  request.attribute_definitions = MakeDefinitions(table, indexes);
  if (table.provisioned) {
    request.billing_mode = BillingMode::kProvisioned;
    request.provisioned_throughput = ThroughputOf(*table.provisioned);
  } else {
    request.billing_mode = BillingMode::kPayPerRequest;
  }
  if (!table.stream.empty()) {
    request.stream_specification =
        StreamSpecification{.stream_enabled = true, .stream_view_type = ViewOf(table.stream)};
  }
  if (table.infrequent_access) request.table_class = TableClass::kStandardInfrequentAccess;
  if (table.deletion_protection.In(environment).value_or(false)) {
    request.deletion_protection_enabled = true;
  }
  return request;
}

}  // namespace stator::entity
