// stator audit: what is wrong with the items of existing tables.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/model/model_command.h"
#include "cli/progress_line.h"
#include "live/audit.h"
#include "value/json_writer.h"

namespace stator::cli {
namespace {

constexpr const char* kAuditExamples = R"(
Examples:
  stator audit model.yaml --endpoint http://127.0.0.1:8000
  stator audit model.yaml --data ./data --fix           mend derived keys, add versions and sentinels
  stator audit model.yaml --endpoint aws --json

Reads every item and reports those that break the model: derived keys that are wrong, missing or left
behind, times off by 1000, unknown states, numbers stored as text, missing versions, unique values
that nothing keeps unique or that several items claim, and indexes whose size is not that of their
items. Exits with 0 if nothing is found, or nothing is left after --fix, else 1.

--fix takes in items that other programs wrote: it derives their keys again, gives them a version and
puts the sentinels of their unique values. A value that two items claim is reported: delete one of
them, or give it another value, and run it again. Programs may go on writing meanwhile.
)";

struct AuditCommand {
  std::string file;
  LiveTables tables;
  live::AuditOptions options;
  bool json = false;
};

std::string ReportText(const live::AuditReport& report) {
  std::string text = fmt::format("{}: {} items", report.table_name, report.items);
  for (const auto& [entity, count] : report.entities) {
    text += fmt::format(", {} {}", count, entity);
  }
  if (report.sentinels > 0) text += fmt::format(", {} sentinels", report.sentinels);
  if (report.mended > 0) text += fmt::format("; {} mended", report.mended);
  if (report.sentinels_added > 0) {
    text += fmt::format("; {} sentinel{} added", report.sentinels_added,
                        report.sentinels_added == 1 ? "" : "s");
  }
  text += '\n';
  for (const auto& [what, count] : report.flaws) {
    text +=
        fmt::format("  {}: {}, {} items\n", live::FlawName(what.first), what.second, count.items);
    for (const live::FlawExample& example : count.examples) {
      text += fmt::format("    {} {}\n", example.key, example.detail);
    }
  }
  for (const auto& [index, counts] : report.indexes) {
    if (counts.first == counts.second) continue;
    text += fmt::format("  index {}: {} items carry its keys, {} entries\n", index, counts.first,
                        counts.second);
  }
  if (report.clean()) text += "  nothing is wrong\n";
  return text;
}

void WriteReport(JsonWriter& json, const live::AuditReport& report) {
  json.BeginObject();
  json.Key("table").String(report.table_name);
  json.Key("items").Integer(report.items);
  json.Key("sentinels").Integer(report.sentinels);
  json.Key("mended").Integer(report.mended);
  json.Key("sentinels_added").Integer(report.sentinels_added);
  json.Key("entities").BeginObject();
  for (const auto& [entity, count] : report.entities) json.Key(entity).Integer(count);
  json.EndObject();
  json.Key("flaws").BeginArray();
  for (const auto& [what, count] : report.flaws) {
    json.BeginObject();
    json.Key("flaw").String(live::FlawName(what.first));
    json.Key("subject").String(what.second);
    json.Key("items").Integer(count.items);
    json.Key("examples").BeginArray();
    for (const live::FlawExample& example : count.examples) {
      json.BeginObject();
      json.Key("key").Raw(example.key);
      json.Key("detail").String(example.detail);
      json.EndObject();
    }
    json.EndArray();
    json.EndObject();
  }
  json.EndArray();
  json.Key("indexes").BeginArray();
  for (const auto& [index, counts] : report.indexes) {
    json.BeginObject();
    json.Key("index").String(index);
    json.Key("expected").Integer(counts.first);
    json.Key("found").Integer(counts.second);
    json.EndObject();
  }
  json.EndArray();
  json.Key("clean").Bool(report.clean());
  json.EndObject();
}

int RunAudit(AuditCommand& command) {
  const std::optional<model::Model> model = LoadModelOrComplain(command.file);
  if (!model) return kExitUsage;
  const std::unique_ptr<Endpoint> endpoint = OpenTablesOrComplain(command.tables);
  if (!endpoint) return kExitUsage;
  bool clean = true;
  std::string out;
  JsonWriter json(out);
  if (command.json) json.BeginArray();
  for (const model::Table& table : model->tables) {
    if (!table.partition) continue;
    command.options.table_name = command.tables.name_prefix + table.name;
    command.options.now = SystemClock().Now();
    Result<live::AuditReport> report;
    {
      ProgressLine line;
      report = live::AuditTable(*endpoint, *model, table, command.options, line.Callback());
    }
    if (!report) {
      Complain(fmt::format("{}: {}: {}", command.options.table_name, report.error().name(),
                           report.error().message()));
      return kExitFailure;
    }
    clean &= report->clean();
    if (command.json) {
      WriteReport(json, *report);
    } else {
      out += ReportText(*report);
    }
  }
  if (command.json) {
    json.EndArray();
    out += '\n';
  }
  std::fputs(out.c_str(), stdout);
  return clean ? kExitOk : kExitFailure;
}

}  // namespace

void AddAuditCommand(Syntax& syntax) {
  const auto command = std::make_shared<AuditCommand>();
  Subcommand audit =
      syntax.Add("audit", "Find items that break their model, and mend them", kAuditExamples);
  audit.Add("MODEL", command->file, "The model file").Required();
  AddTableOptions(audit, command->tables);
  audit.Flag("--fix", command->options.fix,
             "Mend derived keys; add missing versions and sentinels");
  audit.Flag("--json", command->json, "Write JSON");
  audit.Add("--segments", command->options.segments, "Parallel scans (default: 4)")
      .Between(1, 256)
      .Type("N");
  audit.Add("--examples", command->options.examples, "Examples shown of each kind (default: 3)")
      .Between(0, 1000)
      .Type("N");
  audit.Runs([command] { return RunAudit(*command); });
}

}  // namespace stator::cli
