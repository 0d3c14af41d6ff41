#include "report/sarif.h"

#include <algorithm>
#include <cstdint>

#include "value/json_writer.h"

namespace stator::model {

std::string SarifLog(const std::function<void(JsonWriter&)>& rules,
                     const std::function<void(JsonWriter&)>& results) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("$schema").String("https://json.schemastore.org/sarif-2.1.0.json");
  json.Key("version").String("2.1.0");
  json.Key("runs").BeginArray().BeginObject();
  json.Key("tool").BeginObject().Key("driver").BeginObject();
  json.Key("name").String("stator check");
  rules(json);
  json.EndObject().EndObject();
  json.Key("columnKind").String("unicodeCodePoints");
  json.Key("results").BeginArray();
  results(json);
  json.EndArray();
  json.EndObject().EndArray();
  json.EndObject();
  return out + "\n";
}

void WriteSarifText(JsonWriter& json, std::string_view key, std::string_view text) {
  json.Key(key).BeginObject();
  json.Key("text").String(text);
  json.EndObject();
}

void WriteSarifLocation(JsonWriter& json, const std::string& file, const Place& place,
                        std::string_view subject) {
  json.Key("locations").BeginArray().BeginObject();
  json.Key("physicalLocation").BeginObject();
  json.Key("artifactLocation").BeginObject();
  json.Key("uri").String(file);
  json.EndObject();
  json.Key("region").BeginObject();
  json.Key("startLine").Integer(std::max<std::int64_t>(place.line, 1));
  json.Key("startColumn").Integer(std::max<std::int64_t>(place.column, 1));
  json.EndObject();
  json.EndObject();
  if (!subject.empty()) {
    json.Key("logicalLocations").BeginArray().BeginObject();
    json.Key("fullyQualifiedName").String(subject);
    json.EndObject().EndArray();
  }
  json.EndObject().EndArray();
}

}  // namespace stator::model
