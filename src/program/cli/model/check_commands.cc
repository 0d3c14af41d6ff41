// stator check MODEL: the proof table and the findings. stator explain RULE: what a rule is about.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/model/model_command.h"
#include "model/parse/parse.h"
#include "proof/month.h"
#include "proof/proof.h"
#include "report/check_report.h"
#include "rules/rules.h"
#include "value/json_writer.h"

namespace stator::cli {
namespace {

constexpr const char* kCheckExamples = R"(
Examples:
  stator check model.yaml
  stator check model.yaml --json | jq '.patterns[] | {name, text}'
  stator check model.yaml --sarif > findings.sarif     for code hosts and editors
  stator check model.yaml --run                        the proof, and a month, run on the engine
  stator check model.yaml --run --items 1000000        … with all items of large collections
  stator explain AP08                                  what a rule is about

Exits with 0 if nothing is found that matters, 1 if an error or a warning is found that the model
does not accept, 2 if the file cannot be read.
)";

using proof::Measure;
using proof::Month;
using proof::MonthPlace;
using proof::Proof;

double AllWrites(const Measure& measure) {
  double units = measure.write_units;
  for (const auto& [index, more] : measure.index_write_units) units += more;
  return units;
}

std::string Verdict(const Proof& proof) {
  if (!proof.ran) return "not run";
  return proof.ok() ? "ok" : "differs";
}

std::string Remark(const Proof& proof) {
  if (proof.difference.empty() || proof.note.empty()) return proof.difference + proof.note;
  return proof.difference + "; " + proof.note;
}

std::string PairText(double predicted, double measured) {
  return NumberText(predicted) + " / " + NumberText(measured);
}

std::string ProofText(const std::vector<Proof>& proofs) {
  TextTable table(
      {"pattern", "operation", "items", "returned", "pages", "RRU", "WRU", "verdict", ""}, 2);
  for (const Proof& proof : proofs) {
    const Measure& said = proof.predicted;
    const Measure& seen = proof.measured;
    table.Add({proof.pattern->name, proof.operation, PairText(said.items_read, seen.items_read),
               PairText(said.items_returned, seen.items_returned), PairText(said.pages, seen.pages),
               PairText(said.read_units, seen.read_units),
               PairText(AllWrites(said), AllWrites(seen)), Verdict(proof), Remark(proof)});
  }
  return "Run on the engine: predicted / measured\n" + table.Text();
}

std::string MonthText(const Month& month) {
  TextTable table({"table or index", "RRU", "WRU", "verdict"}, 1);
  const auto add = [&](const MonthPlace& place) {
    table.Add({place.name, PairText(place.priced.reads, place.metered.reads),
               PairText(place.priced.writes, place.metered.writes), place.ok() ? "ok" : "differs"});
  };
  for (const MonthPlace& place : month.places) add(place);
  add(month.total);
  std::string text = fmt::format("A month of {} calls: what `stator cost` says / metered\n{}",
                                 NumberText(month.calls), table.Text());
  if (!month.left_out.empty()) {
    text += fmt::format("Not run, and taken as predicted: {}\n", fmt::join(month.left_out, ", "));
  }
  if (!month.ok()) {
    text += fmt::format("The cost differs by more than {:.0f} % from what the month takes.\n",
                        100 * proof::kMonthTolerance);
  }
  return text;
}

void PutMeasure(JsonWriter& json, std::string_view key, const Measure& measure) {
  const auto put = [&](std::string_view name, double value) {
    json.Key(name).Raw(fmt::format("{}", value));
  };
  json.Key(key).BeginObject();
  put("items_read", measure.items_read);
  put("items_returned", measure.items_returned);
  put("pages", measure.pages);
  put("rru", measure.read_units);
  put("wru", measure.write_units);
  json.Key("index_wru").BeginObject();
  for (const auto& [index, units] : measure.index_write_units) put(index, units);
  json.EndObject();
  json.EndObject();
}

void PutPlace(JsonWriter& json, const MonthPlace& place) {
  const auto put = [&](std::string_view name, double value) {
    json.Key(name).Raw(fmt::format("{}", value));
  };
  json.BeginObject();
  json.Key("name").String(place.name);
  put("rru", place.priced.reads);
  put("rru_metered", place.metered.reads);
  put("wru", place.priced.writes);
  put("wru_metered", place.metered.writes);
  json.Key("verdict").String(place.ok() ? "ok" : "differs");
  json.EndObject();
}

void PutMonth(JsonWriter& json, const Month& month) {
  json.BeginObject();
  json.Key("calls").Raw(fmt::format("{}", month.calls));
  json.Key("verdict").String(month.ok() ? "ok" : "differs");
  json.Key("places").BeginArray();
  for (const MonthPlace& place : month.places) PutPlace(json, place);
  json.EndArray();
  json.Key("total");
  PutPlace(json, month.total);
  json.Key("not_run").BeginArray();
  for (const std::string& pattern : month.left_out) json.String(pattern);
  json.EndArray();
  json.EndObject();
}

std::string ProofJson(const std::vector<Proof>& proofs, const Month& month) {
  std::string text;
  JsonWriter json(text);
  json.BeginObject();
  json.Key("patterns").BeginArray();
  for (const Proof& proof : proofs) {
    json.BeginObject();
    json.Key("pattern").String(proof.pattern->name);
    json.Key("operation").String(proof.operation);
    json.Key("verdict").String(Verdict(proof));
    if (!Remark(proof).empty()) json.Key("remark").String(Remark(proof));
    if (proof.ran) {
      PutMeasure(json, "predicted", proof.predicted);
      PutMeasure(json, "measured", proof.measured);
    }
    json.EndObject();
  }
  json.EndArray();
  json.Key("month");
  PutMonth(json, month);
  json.EndObject();
  return text + "\n";
}

// Runs every pattern and a month of them on an engine in memory, and prints what was predicted and
// what was measured, as tables or as JSON. False if something differs.
bool RunAndReport(const model::Model& model, double max_items, bool as_json) {
  const std::vector<Proof> proofs = proof::ProvePatterns(model, max_items);
  const Month month = proof::ProveMonth(model, proofs, max_items);
  const std::string text =
      as_json ? ProofJson(proofs, month) : ProofText(proofs) + "\n" + MonthText(month);
  std::fputs(text.c_str(), stdout);
  return std::ranges::all_of(proofs, &Proof::ok) && month.ok();
}

constexpr const char* kExplainExamples = R"(
Examples:
  stator explain             all rules, one line each
  stator explain AP08        what the rule AP08 is about, and how to follow it
)";

struct CheckCommand {
  std::string file;
  bool json = false;
  bool sarif = false;
  bool no_color = false;
  bool run = false;
  std::uint32_t max_items = static_cast<std::uint32_t>(proof::kUsualItems);
};

// https://no-color.org: a variable that is set and not empty.
bool WantsColors(const CheckCommand& command) {
  const char* no_color = std::getenv("NO_COLOR");
  if (command.no_color || (no_color != nullptr && *no_color != '\0')) return false;
  return isatty(STDOUT_FILENO) == 1;
}

int RunCheck(const CheckCommand& command) {
  const auto loaded = model::LoadModel(command.file);
  if (!loaded) {
    if (command.sarif) {
      std::fputs(model::ProblemsSarif(command.file, loaded.error()).c_str(), stdout);
    } else if (command.json) {
      std::fputs(model::ProblemsJson(command.file, loaded.error()).c_str(), stdout);
    } else {
      ComplainOf(command.file, loaded.error());
    }
    return kExitUsage;
  }
  const model::CheckResult result = model::Check(*loaded);
  std::string text;
  if (command.sarif) {
    text = model::CheckSarif(*loaded, result);
  } else if (command.json) {
    text = model::CheckJson(*loaded, result);
  } else {
    text = model::CheckText(*loaded, result, WantsColors(command));
  }
  const bool proofs_only = command.run && command.json;
  if (!proofs_only) std::fputs(text.c_str(), stdout);
  bool proved = true;
  if (command.run) {
    if (!proofs_only) std::fputs("\n", stdout);
    proved = RunAndReport(*loaded, command.max_items, command.json);
  }
  return result.clean() && proved ? kExitOk : kExitFailure;
}

int RunExplain(std::string id) {
  for (char& c : id) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  if (id.empty()) {
    std::fputs(model::RuleListText(model::AllRules()).c_str(), stdout);
    return kExitOk;
  }
  const model::Rule* rule = model::FindRule(id);
  if (rule == nullptr) {
    Complain("there is no rule " + id + "; `stator explain` lists all rules");
    return kExitUsage;
  }
  std::fputs(model::ExplainText(*rule).c_str(), stdout);
  return kExitOk;
}

void AddCheckCommand(Syntax& syntax) {
  const auto command = std::make_shared<CheckCommand>();
  Subcommand check = syntax.Add("check",
                                "Prove that a model's patterns resolve, and find "
                                "what is wrong with its design",
                                kCheckExamples);
  check.Add("MODEL", command->file, "The model file").Required().Type("FILE");
  const Option json = check.Flag("--json", command->json, "Print JSON");
  const Option sarif = check.Flag("--sarif", command->sarif, "Print SARIF 2.1.0").Excludes(json);
  const Option run =
      check
          .Flag("--run", command->run,
                "Load made-up items of the declared volume into an engine in memory, run every "
                "pattern and a month's mix of them, and compare with what is predicted; with "
                "--json, print only that")
          .Excludes(sarif);
  check
      .Add("--items", command->max_items,
           "With --run: the most items that are loaded for one pattern; larger collections "
           "are scaled down, and the table says so")
      .Between(1U, 10'000'000U)
      .Needs(run)
      .ShowDefault();
  check.Flag("--no-color", command->no_color, "No colors, even on a terminal");
  check.Runs([command] { return RunCheck(*command); });
}

void AddExplainCommand(Syntax& syntax) {
  const auto rule = std::make_shared<std::string>();
  Subcommand explain =
      syntax.Add("explain", "Teach a rule of `stator check`, or list all", kExplainExamples);
  explain.Add("RULE", *rule, "The rule, e.g. AP08 (default: list all)").Type("RULE");
  explain.Runs([rule] { return RunExplain(*rule); });
}

}  // namespace

void AddCheckCommands(Syntax& syntax) {
  AddCheckCommand(syntax);
  AddExplainCommand(syntax);
}

}  // namespace stator::cli
