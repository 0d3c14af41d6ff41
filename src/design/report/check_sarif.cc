// A rule descriptor for each rule that found something, and a result for each finding.
#include <map>
#include <string>

#include "report/check_report.h"
#include "report/sarif.h"
#include "value/json_writer.h"

namespace stator::model {
namespace {

using RuleIndex = std::map<std::string_view, std::int64_t>;

void WriteRule(JsonWriter& json, const Rule& rule) {
  json.BeginObject();
  json.Key("id").String(rule.code);
  WriteSarifText(json, "shortDescription", rule.title);
  WriteSarifText(json, "fullDescription", rule.lesson);
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
  WriteSarifText(json, "message",
                 finding.fix.empty() ? message : message + ". Fix: " + finding.fix);
  WriteSarifLocation(json, model.file, {finding.line, finding.column}, finding.target);
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

}  // namespace stator::model
