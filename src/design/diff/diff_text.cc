// The differences between two models, for people and for programs.
#include <fmt/format.h>

#include "diff/diff.h"
#include "value/json_writer.h"

namespace stator::model {
namespace {

std::string_view PhaseName(MigrationStep::Phase phase) {
  switch (phase) {
    case MigrationStep::Phase::kAddTables:
      return "tables";
    case MigrationStep::Phase::kAddIndexes:
      return "indexes";
    case MigrationStep::Phase::kWriters:
      return "writers";
    case MigrationStep::Phase::kBackfill:
      return "backfill";
    case MigrationStep::Phase::kVerify:
      return "verify";
    case MigrationStep::Phase::kReaders:
      return "readers";
    case MigrationStep::Phase::kRemoveIndexes:
      return "remove";
    case MigrationStep::Phase::kRemoveTables:
      return "remove";
  }
  return {};
}

}  // namespace

std::string DiffText(const ModelDiff& diff) {
  if (diff.differences.empty() && diff.findings.empty()) return "The models are the same.\n";
  std::string text = "Differences\n";
  for (const ModelChange& difference : diff.differences) {
    text += fmt::format("  {}: {}\n", difference.subject, difference.text);
  }
  if (!diff.findings.empty()) text += "\nIn the way\n";
  for (const Finding& finding : diff.findings) {
    text += fmt::format("  {} {}: {}\n       {}\n", finding.rule, finding.target, finding.message,
                        finding.fix);
  }
  if (!diff.steps.empty()) text += "\nSteps, in this order\n";
  int number = 0;
  for (const MigrationStep& step : diff.steps) {
    text += fmt::format("  {:2}. {:8} {}\n", ++number, PhaseName(step.phase), step.text);
  }
  return text;
}

std::string DiffJson(const ModelDiff& diff) {
  std::string text;
  JsonWriter json(text);
  json.BeginObject();
  json.Key("differences").BeginArray();
  for (const ModelChange& difference : diff.differences) {
    json.BeginObject();
    json.Key("subject").String(difference.subject);
    json.Key("text").String(difference.text);
    json.EndObject();
  }
  json.EndArray();
  json.Key("findings").BeginArray();
  for (const Finding& finding : diff.findings) {
    json.BeginObject();
    json.Key("rule").String(finding.rule);
    json.Key("target").String(finding.target);
    json.Key("message").String(finding.message);
    json.Key("fix").String(finding.fix);
    json.EndObject();
  }
  json.EndArray();
  json.Key("steps").BeginArray();
  for (const MigrationStep& step : diff.steps) {
    json.BeginObject();
    json.Key("phase").String(PhaseName(step.phase));
    json.Key("text").String(step.text);
    json.EndObject();
  }
  json.EndArray();
  json.EndObject();
  text += '\n';
  return text;
}

}  // namespace stator::model
