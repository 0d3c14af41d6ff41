#include "generate/table_shape.h"

#include <algorithm>

namespace stator::model {
namespace {

std::vector<const Index*> IndexesOf(const Table& table, bool local) {
  std::vector<const Index*> found;
  for (const Index& index : table.indexes) {
    if (index.local == local) found.push_back(&index);
  }
  return found;
}

}  // namespace

std::vector<KeyElement> KeySchemaOf(const Table& table) {
  std::vector<KeyElement> schema;
  if (table.partition) schema.push_back({*table.partition, false});
  if (table.sort) schema.push_back({*table.sort, true});
  return schema;
}

std::vector<KeyElement> KeySchemaOf(const Table& table, const Index& index) {
  std::vector<KeyElement> schema;
  if (index.local && table.partition) {
    schema.push_back({*table.partition, false});
  } else {
    for (const KeyAttribute& attribute : index.partition) schema.push_back({attribute, false});
  }
  for (const KeyAttribute& attribute : index.sort) schema.push_back({attribute, true});
  return schema;
}

std::vector<KeyAttribute> AttributeDefinitionsOf(const Table& table) {
  std::vector<const Index*> indexes;
  for (const Index& index : table.indexes) indexes.push_back(&index);
  return AttributeDefinitionsOf(table, indexes);
}

std::vector<KeyAttribute> AttributeDefinitionsOf(const Table& table,
                                                 const std::vector<const Index*>& indexes) {
  std::vector<KeyAttribute> definitions;
  const auto add = [&](const std::vector<KeyElement>& schema) {
    for (const KeyElement& element : schema) {
      if (std::ranges::count(definitions, element.attribute.name, &KeyAttribute::name) == 0) {
        definitions.push_back(element.attribute);
      }
    }
  };
  add(KeySchemaOf(table));
  for (const Index* index : indexes) add(KeySchemaOf(table, *index));
  return definitions;
}

bool HasSeveralAttributes(const Index& index) {
  return index.partition.size() > 1 || index.sort.size() > 1;
}

std::vector<const Index*> GlobalIndexes(const Table& table) { return IndexesOf(table, false); }
std::vector<const Index*> LocalIndexes(const Table& table) { return IndexesOf(table, true); }

std::string_view ProjectionName(const Projection& projection) {
  switch (projection.kind) {
    case Projection::Kind::kAll:
      return "ALL";
    case Projection::Kind::kKeysOnly:
      return "KEYS_ONLY";
    case Projection::Kind::kInclude:
      return "INCLUDE";
  }
  return "ALL";
}

std::string_view TableClassName(const Table& table) {
  return table.infrequent_access ? "STANDARD_INFREQUENT_ACCESS" : "STANDARD";
}

std::optional<Capacity> CapacityOf(const Table& table, const Index& index) {
  if (!table.provisioned || index.local) return std::nullopt;
  return index.capacity ? index.capacity : table.provisioned;
}

}  // namespace stator::model
