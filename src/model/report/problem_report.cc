#include "model/report/problem_report.h"

#include <algorithm>
#include <cstdint>

#include "value/json_writer.h"

namespace stator::model {
namespace {

void WriteLocation(JsonWriter& json, const std::string& file, const Place& place) {
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
  json.EndObject().EndArray();
}

}  // namespace

std::string ProblemsJson(const std::string& file, const std::vector<Problem>& problems) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("file").String(file);
  json.Key("clean").Bool(false);
  json.Key("problems").BeginArray();
  for (const Problem& problem : problems) {
    json.BeginObject();
    json.Key("line").Integer(problem.place.line);
    json.Key("column").Integer(problem.place.column);
    json.Key("message").String(problem.message);
    if (!problem.hint.empty()) json.Key("hint").String(problem.hint);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  return out + "\n";
}

std::string ProblemsSarif(const std::string& file, const std::vector<Problem>& problems) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("$schema").String("https://json.schemastore.org/sarif-2.1.0.json");
  json.Key("version").String("2.1.0");
  json.Key("runs").BeginArray().BeginObject();
  json.Key("tool").BeginObject().Key("driver").BeginObject();
  json.Key("name").String("stator check");
  json.EndObject().EndObject();
  json.Key("columnKind").String("unicodeCodePoints");
  json.Key("results").BeginArray();
  for (const Problem& problem : problems) {
    json.BeginObject();
    json.Key("ruleId").String("form");
    json.Key("level").String("error");
    json.Key("message").BeginObject();
    json.Key("text").String(problem.hint.empty() ? problem.message
                                                 : problem.message + " (" + problem.hint + ")");
    json.EndObject();
    WriteLocation(json, file, problem.place);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject().EndArray();
  json.EndObject();
  return out + "\n";
}

}  // namespace stator::model
