#include "cli/model/apply_command.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>

#include "cli/command_line.h"
#include "cli/model/model_endpoint.h"
#include "cli/model/model_file.h"
#include "cli/model/work_line.h"
#include "generate/environments.h"
#include "live/apply.h"

namespace stator::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  stator apply model.yaml --endpoint http://127.0.0.1:8000 --dry-run     show the steps
  stator apply model.yaml --endpoint aws --region eu-north-1 --env prod
  stator apply model.yaml --data ./data --rate 50                        50 items a second
  stator apply model.yaml --endpoint URL --prune                         delete other indexes too

Tables are created, or altered one index at a time. Items that were written before an index was
there get its keys, each only if it still exists and has not changed. The command can be stopped,
even killed, at any time: run it again, and it goes on where it was (.stator-apply keeps the place).
Leaves with 0 when the tables are as the model says, 1 when a step failed or cannot be done.
)";

struct ApplyCommand {
  std::string file;
  EndpointOptions endpoint;
  live::ApplyOptions options;
  int segments = 0;
  double rate = -1;
  bool dry_run = false;
};

std::atomic<bool> stop_requested = false;

void StopOnSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop_requested = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second signal ends it at once
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int ApplyTable(Endpoint& endpoint, const model::Model& model, const model::Table& table,
               const ApplyCommand& command) {
  const std::string name = command.options.table_prefix + table.name;
  if (!table.partition) {
    Complain(fmt::format("table `{}` has no key in the model", table.id));
    return kExitFailure;
  }
  const auto state = live::ReadTableState(endpoint, name);
  if (!state) {
    Complain(fmt::format("{}: {}", state.error().name(), state.error().message()));
    return kExitFailure;
  }
  const std::vector<live::Step> steps =
      live::PlanSteps(model, table, *state, command.options.steps);
  if (steps.empty()) fmt::print("{}: nothing to do\n", name);
  int exit_code = kExitOk;
  for (const live::Step& step : steps) {
    fmt::print("{}: {}\n", name, step.text);
    std::fflush(stdout);
    if (step.kind == live::StepKind::kStuck) exit_code = kExitFailure;
    if (command.dry_run || step.kind == live::StepKind::kStuck) continue;
    Result<live::StepOutcome> outcome;
    {
      WorkLine line;
      outcome = live::CarryOutStep(endpoint, model, step, command.options, line.Callback());
    }
    if (!outcome) {
      Complain(fmt::format("{}: {}", outcome.error().name(), outcome.error().message()));
      return kExitFailure;
    }
    if (!outcome->text.empty()) {
      fmt::print("  {}{}\n", outcome->failed ? "FAILED: " : "", outcome->text);
    }
    if (outcome->stopped) return kExitFailure;
    if (outcome->failed) exit_code = kExitFailure;
  }
  return exit_code;
}

// False if the model does not know the environment. Without one, settings that differ between
// environments stay as they are, which is said.
bool CheckEnvironment(const model::Model& model, const std::string& environment) {
  const std::vector<std::string> names = model::EnvironmentsOf(model);
  const std::string listed = fmt::format("{}", fmt::join(names, ", "));
  if (!environment.empty() && std::ranges::find(names, environment) == names.end()) {
    Complain(fmt::format("the model has no environment `{}` ({})", environment,
                         names.empty() ? "assume: env names them" : "it has " + listed));
    return false;
  }
  if (environment.empty() && model::AsksForEnvironment(model, {})) {
    Complain(
        fmt::format("recovery or protection differs between environments and is left as it "
                    "is; --env sets it ({})",
                    listed));
  }
  return true;
}

int RunApply(ApplyCommand& command) {
  const std::optional<model::Model> model = LoadModelOrComplain(command.file);
  if (!model || !CheckEnvironment(*model, command.options.steps.environment)) return kExitUsage;
  const std::unique_ptr<Endpoint> endpoint = OpenEndpointOrComplain(command.endpoint);
  if (!endpoint) return kExitUsage;
  if (command.segments > 0) command.options.segments = command.segments;
  if (command.rate >= 0) command.options.items_per_second = command.rate;
  command.options.table_prefix = command.endpoint.table_prefix;
  command.options.now = SystemNow();
  command.options.stop = &stop_requested;
  StopOnSignals();
  int exit_code = kExitOk;
  for (const model::Table& table : model->tables) {
    if (const int code = ApplyTable(*endpoint, *model, table, command); code != kExitOk) {
      exit_code = code;
    }
    if (stop_requested) break;
  }
  return exit_code;
}

}  // namespace

void AddApplyCommand(CLI::App& app, Task& task) {
  const auto command = std::make_shared<ApplyCommand>();
  CLI::App* apply = app.add_subcommand(
      "apply", "Create and alter tables as a model says, and fill their indexes");
  apply->footer(kExamples);
  apply->add_option("MODEL", command->file, "The model file")->required();
  AddEndpointOptions(*apply, command->endpoint);
  live::ApplyOptions& options = command->options;
  apply->add_option("--env", options.steps.environment, "Environment, for settings that differ")
      ->type_name("NAME");
  apply->add_flag("--dry-run", command->dry_run, "Show the steps, change nothing");
  apply->add_flag("--prune", options.steps.prune, "Delete indexes that the model does not have");
  apply->add_flag("--backfill", options.steps.backfill,
                  "Fill and compare the indexes that are there, too");
  apply->add_option("--segments", command->segments, "Parallel scans (default: the model's, or 4)")
      ->check(CLI::Range(1, 256))
      ->type_name("N");
  apply
      ->add_option("--rate", command->rate, "Items changed a second (default: the model's, or all)")
      ->check(CLI::NonNegativeNumber)
      ->type_name("N");
  apply
      ->add_option("--checkpoints", options.checkpoint_directory,
                   "Where the place is kept (default: .stator-apply)")
      ->type_name("DIR");
  apply->callback([command, &task] { task.run = [command] { return RunApply(*command); }; });
}

}  // namespace stator::cli
