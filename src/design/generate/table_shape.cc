#include "generate/table_shape.h"

#include <algorithm>
#include <cmath>

#include "value/json_writer.h"

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

void WriteProjection(const Projection& projection, JsonWriter& json) {
  json.BeginObject();
  json.Key("ProjectionType").String(ProjectionName(projection));
  if (projection.kind == Projection::Kind::kInclude) {
    json.Key("NonKeyAttributes").BeginArray();
    for (const std::string& name : projection.attributes) json.String(name);
    json.EndArray();
  }
  json.EndObject();
}

void WriteThroughput(const Capacity& capacity, JsonWriter& json) {
  json.BeginObject();
  json.Key("ReadCapacityUnits").Integer(std::llround(capacity.read));
  json.Key("WriteCapacityUnits").Integer(std::llround(capacity.write));
  json.EndObject();
}

std::string AngleText(const KeyTemplate& key) {
  std::string out;
  for (const TemplatePart& part : key.parts) {
    if (!part.is_placeholder) {
      out += part.text;
      continue;
    }
    out += '<' + part.text + (part.format.empty() ? "" : ":" + part.format) + '>';
  }
  return out;
}

std::string KeyText(const Entity& entity, std::string_view attribute) {
  if (const KeyTemplate* key = entity.FindKey(attribute)) return AngleText(*key);
  if (entity.FindAttribute(attribute) == nullptr) return "";
  return "<" + std::string(attribute) + ">";
}

bool IsDerived(const Entity& entity, std::string_view attribute) {
  const KeyTemplate* key = entity.FindKey(attribute);
  if (key == nullptr) return false;
  const bool itself =
      key->parts.size() == 1 && key->parts[0].is_placeholder && key->parts[0].text == attribute;
  return !itself;
}

}  // namespace stator::model
