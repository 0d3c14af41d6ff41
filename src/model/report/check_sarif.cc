// SARIF 2.1.0 (OASIS): one run of one tool, a rule descriptor for each rule that found something,
// and a result for each finding.
#include <algorithm>
#include <map>
#include <string>

#include "model/report/check_report.h"
#include "value/json_writer.h"

namespace stator::model {
namespace {

using RuleIndex = std::map<std::string_view, std::int64_t>;

void WriteText(JsonWriter& json, std::string_view key, std::string_view text) {
  json.Key(key).BeginObject();
  json.Key("text").String(text);
  json.EndObject();
}

void WriteRule(JsonWriter& json, const Rule& rule) {
  json.BeginObject();
  json.Key("id").String(rule.id);
  WriteText(json, "shortDescription", rule.title);
  WriteText(json, "fullDescription", rule.lesson);
  json.Key("defaultConfiguration").BeginObject();
  json.Key("level").String(SeverityName(rule.severity));
  json.EndObject();
  json.EndObject();
}

// Adds the rules that found something, and gives each its place in the list.
RuleIndex WriteRules(JsonWriter& json, const CheckResult& result) {
  RuleIndex index;
  json.Key("rules").BeginArray();
  for (const Finding& finding : result.findings) {
    if (index.contains(finding.rule)) continue;
    const Rule* rule = FindRule(finding.rule);
    if (rule == nullptr) continue;
    index.emplace(finding.rule, static_cast<std::int64_t>(index.size()));
    WriteRule(json, *rule);
  }
  json.EndArray();
  return index;
}

void WriteLocation(JsonWriter& json, const Model& model, const Finding& finding) {
  json.Key("locations").BeginArray().BeginObject();
  json.Key("physicalLocation").BeginObject();
  json.Key("artifactLocation").BeginObject();
  json.Key("uri").String(model.file);
  json.EndObject();
  json.Key("region").BeginObject();
  json.Key("startLine").Integer(std::max<std::int64_t>(finding.place.line, 1));
  json.Key("startColumn").Integer(std::max<std::int64_t>(finding.place.column, 1));
  json.EndObject();
  json.EndObject();
  json.Key("logicalLocations").BeginArray().BeginObject();
  json.Key("fullyQualifiedName").String(finding.target);
  json.EndObject().EndArray();
  json.EndObject().EndArray();
}

void WriteResult(JsonWriter& json, const Model& model, const Finding& finding,
                 const RuleIndex& rules) {
  json.BeginObject();
  json.Key("ruleId").String(finding.rule);
  if (const auto it = rules.find(finding.rule); it != rules.end()) {
    json.Key("ruleIndex").Integer(it->second);
  }
  json.Key("level").String(SeverityName(finding.severity));
  const std::string message = MessageText(finding);
  WriteText(json, "message", finding.fix.empty() ? message : message + ". Fix: " + finding.fix);
  WriteLocation(json, model, finding);
  if (finding.accepted) {
    json.Key("suppressions").BeginArray().BeginObject();
    json.Key("kind").String("external");
    json.EndObject().EndArray();
  }
  json.EndObject();
}

}  // namespace

std::string CheckSarif(const Model& model, const CheckResult& result) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("$schema").String("https://json.schemastore.org/sarif-2.1.0.json");
  json.Key("version").String("2.1.0");
  json.Key("runs").BeginArray().BeginObject();
  json.Key("tool").BeginObject();
  json.Key("driver").BeginObject();
  json.Key("name").String("stator check");
  const RuleIndex rules = WriteRules(json, result);
  json.EndObject();
  json.EndObject();
  json.Key("columnKind").String("unicodeCodePoints");
  json.Key("results").BeginArray();
  for (const Finding& finding : result.findings) WriteResult(json, model, finding, rules);
  json.EndArray();
  json.EndObject().EndArray();
  json.EndObject();
  return out + "\n";
}

}  // namespace stator::model
