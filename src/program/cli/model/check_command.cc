#include "cli/model/check_command.h"

#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "cli/command_line.h"
#include "cli/model/model_file.h"
#include "cli/model/proof_report.h"
#include "model/parse/parse.h"
#include "proof/proof.h"
#include "report/check_report.h"
#include "rules/rules.h"

namespace stator::cli {
namespace {

constexpr const char* kCheckExamples = R"(
Examples:
  stator check model.yaml
  stator check model.yaml --json | jq '.patterns[] | {name, text}'
  stator check model.yaml --sarif > findings.sarif     for code hosts and editors
  stator check model.yaml --run                        the proof, run on the engine
  stator check model.yaml --run --items 1000000        … with all items of large collections
  stator explain AP08                                  what a rule is about

Leaves with 0 if nothing is found that matters, 1 if an error or a warning is found that the model
does not accept, 2 if the file cannot be read.
)";

struct CheckCommand {
  std::string file;
  bool json = false;
  bool sarif = false;
  bool no_color = false;
  bool run = false;
  std::uint32_t max_items = static_cast<std::uint32_t>(proof::kUsualItems);
};

// https://no-color.org: a variable that is there and not empty.
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
    Complain("there is no rule " + id + "; `stator explain` lists all");
    return kExitUsage;
  }
  std::fputs(model::ExplainText(*rule).c_str(), stdout);
  return kExitOk;
}

}  // namespace

void AddCheckCommand(CLI::App& app, Task& task) {
  const auto command = std::make_shared<CheckCommand>();
  CLI::App* check = app.add_subcommand("check",
                                       "Prove that a model's patterns resolve, and find "
                                       "what is wrong with its design");
  check->footer(kCheckExamples);
  check->add_option("MODEL", command->file, "The model file")->required()->type_name("FILE");
  auto* json = check->add_flag("--json", command->json, "Print JSON");
  auto* sarif = check->add_flag("--sarif", command->sarif, "Print SARIF 2.1.0")->excludes(json);
  auto* run = check->add_flag(
      "--run", command->run,
      "Load made-up items of the declared volume into an engine in memory, run every "
      "pattern, and compare with what is predicted; with --json, print these alone");
  run->excludes(sarif);
  check
      ->add_option("--items", command->max_items,
                   "With --run: the most items that are loaded for one pattern; larger collections "
                   "are scaled down, and the table says so")
      ->check(CLI::Range(1U, 10'000'000U))
      ->needs(run)
      ->capture_default_str();
  check->add_flag("--no-color", command->no_color, "No colors, even on a terminal");
  check->callback([command, &task] { task.run = [command] { return RunCheck(*command); }; });
}

void AddExplainCommand(CLI::App& app, Task& task) {
  const auto rule = std::make_shared<std::string>();
  CLI::App* explain = app.add_subcommand("explain", "Teach a rule of `stator check`, or list all");
  explain->add_option("RULE", *rule, "The rule, e.g. AP08 (default: list all)")->type_name("RULE");
  explain->callback([rule, &task] { task.run = [rule] { return RunExplain(*rule); }; });
}

}  // namespace stator::cli
