// Reports as SARIF 2.1.0 (OASIS): one rule descriptor per rule that found something, and one result
// per finding.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>

#include "report/check_report.h"
#include "value/json_writer.h"

namespace stator::model {
namespace {

// One run of one tool. `rules` adds members to the description of the tool, `results` the elements
// of the list of results.
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

// "key": {"text": text}
void WriteText(JsonWriter& json, std::string_view key, std::string_view text) {
  json.Key(key).BeginObject();
  json.Key("text").String(text);
  json.EndObject();
}

// Where it is; `subject` names what is there in the model's own words, if it has a name.
void WriteLocation(JsonWriter& json, const std::string& file, const Place& place,
                   std::string_view subject = {}) {
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

using RuleIndex = std::map<std::string_view, std::int64_t>;

void WriteRule(JsonWriter& json, const Rule& rule) {
  json.BeginObject();
  json.Key("id").String(rule.code);
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
  WriteLocation(json, model.file, {finding.line, finding.column}, finding.target);
  if (finding.accepted) {
    json.Key("suppressions").BeginArray().BeginObject();
    json.Key("kind").String("external");
    json.EndObject().EndArray();
  }
  json.EndObject();
}

}  // namespace

std::string CheckSarif(const Model& model, const CheckResult& result) {
  RuleIndex rules;
  return SarifLog([&](JsonWriter& json) { rules = WriteRules(json, result); },
                  [&](JsonWriter& json) {
                    for (const Finding& finding : result.findings) {
                      WriteResult(json, model, finding, rules);
                    }
                  });
}

std::string ProblemsSarif(const std::string& file, const std::vector<Problem>& problems) {
  return SarifLog([](JsonWriter&) {},
                  [&](JsonWriter& json) {
                    for (const Problem& problem : problems) {
                      json.BeginObject();
                      json.Key("ruleId").String("form");
                      json.Key("level").String("error");
                      WriteText(json, "message",
                                problem.hint.empty() ? problem.message
                                                     : problem.message + " (" + problem.hint + ")");
                      WriteLocation(json, file, problem.place);
                      json.EndObject();
                    }
                  });
}

}  // namespace stator::model
