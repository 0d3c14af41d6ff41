#include "generate/table_json.h"

#include <cmath>

#include "generate/table_shape.h"
#include "value/json_writer.h"

namespace stator::model {
namespace {

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

void WriteIndex(const Table& table, const Index& index, JsonWriter& json) {
  json.BeginObject();
  json.Key("IndexName").String(index.name);
  json.Key("KeySchema").BeginArray();
  for (const KeyElement& element : KeySchemaOf(table, index)) {
    json.BeginObject();
    json.Key("AttributeName").String(element.attribute.name);
    json.Key("KeyType").String(element.KeyType());
    json.EndObject();
  }
  json.EndArray();
  WriteProjection(index.projection, json.Key("Projection"));
  if (const std::optional<Capacity> capacity = CapacityOf(table, index)) {
    json.Key("ProvisionedThroughput").BeginObject();
    json.Key("ReadCapacityUnits").Integer(std::llround(capacity->read));
    json.Key("WriteCapacityUnits").Integer(std::llround(capacity->write));
    json.EndObject();
  }
  json.EndObject();
}

}  // namespace

std::string IndexesJson(const Table& table, const std::vector<const Index*>& indexes) {
  std::string out;
  JsonWriter json(out);
  json.BeginArray();
  for (const Index* index : indexes) WriteIndex(table, *index, json);
  json.EndArray();
  return out;
}

}  // namespace stator::model
