// Reports as JSON.
#include <algorithm>
#include <string>

#include "model/keys/truth.h"
#include "report/check_report.h"
#include "value/json_writer.h"

namespace stator::model {
namespace {

void WriteAmount(JsonWriter& json, std::string_view name, const Amount& amount) {
  json.Key(name).BeginObject();
  json.Key("typical").Units(amount.typical);
  json.Key("max").Units(amount.max);
  json.EndObject();
}

std::string_view KindName(PatternKind kind) {
  switch (kind) {
    case PatternKind::kGet:
      return "get";
    case PatternKind::kQuery:
      return "query";
    case PatternKind::kScan:
      return "scan";
    case PatternKind::kWrite:
      return "write";
    case PatternKind::kTransaction:
      return "transaction";
  }
  return "?";
}

void WriteEstimate(JsonWriter& json, const Estimate& estimate) {
  if (!estimate.known) {
    json.Key("unknown").String(estimate.missing);
    return;
  }
  WriteAmount(json, "itemsRead", estimate.items_read);
  WriteAmount(json, "itemsReturned", estimate.items_returned);
  WriteAmount(json, "bytesRead", estimate.bytes_read);
  WriteAmount(json, "readUnits", estimate.read_units);
  WriteAmount(json, "writeUnits", estimate.write_units);
  json.Key("indexWriteUnits").BeginObject();
  for (const auto& [index, amount] : estimate.index_write_units) {
    WriteAmount(json, index->name, amount);
  }
  json.EndObject();
}

void WriteKey(JsonWriter& json, const Plan& plan) {
  json.Key("key").BeginArray();
  for (const PlanClause& clause : plan.key) {
    json.BeginObject();
    json.Key("attribute").String(clause.attribute);
    json.Key("comparison").String(ComparisonText(clause.comparison));
    json.Key("values").BeginArray();
    for (const std::string& value : clause.values) json.String(value);
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
}

void WritePattern(JsonWriter& json, const Plan& plan, const Estimate& estimate) {
  json.BeginObject();
  json.Key("name").String(plan.pattern->name);
  json.Key("kind").String(KindName(plan.pattern->kind));
  json.Key("line").Integer(plan.pattern->place.line);
  json.Key("resolved").Bool(plan.resolved());
  json.Key("operation").String(OperationName(plan.operation));
  if (plan.table != nullptr) json.Key("table").String(plan.table->id);
  if (plan.index != nullptr) json.Key("index").String(plan.index->name);
  if (plan.entity != nullptr) json.Key("entity").String(plan.entity->name);
  json.Key("text").String(PlanText(plan));
  json.Key("satisfiedByPrimaryKey").Bool(plan.satisfied_by_primary_key);
  json.Key("requests").Integer(plan.calls);
  WriteKey(json, plan);
  if (!plan.condition.empty()) json.Key("condition").String(plan.condition);
  WriteEstimate(json, estimate);
  json.EndObject();
}

void WriteFinding(JsonWriter& json, const Finding& finding) {
  json.BeginObject();
  json.Key("rule").String(finding.rule);
  json.Key("severity").String(SeverityName(finding.severity));
  json.Key("target").String(finding.target);
  json.Key("line").Integer(finding.line);
  json.Key("column").Integer(finding.column);
  json.Key("message").String(finding.message);
  json.Key("fix").String(finding.fix);
  json.Key("accepted").Bool(finding.accepted);
  if (!finding.accept_as.empty()) json.Key("acceptAs").String(finding.accept_as);
  json.EndObject();
}

}  // namespace

std::string CheckJson(const Model& model, const CheckResult& result) {
  std::string out;
  JsonWriter json(out);
  json.BeginObject();
  json.Key("file").String(model.file);
  json.Key("title").String(model.title);
  json.Key("clean").Bool(result.clean());
  json.Key("patterns").BeginArray();
  for (std::size_t i = 0; i < result.plans.size(); ++i) {
    WritePattern(json, result.plans[i], result.estimates[i]);
  }
  json.EndArray();
  json.Key("findings").BeginArray();
  for (const Finding& finding : result.findings) WriteFinding(json, finding);
  json.EndArray();
  json.EndObject();
  return out + "\n";
}

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

}  // namespace stator::model
