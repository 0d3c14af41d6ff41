// stator diff: the migration from one model to another. stator apply: carries it out on tables.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "cli/commands.h"
#include "cli/model/model_command.h"
#include "cli/progress_line.h"
#include "diff/diff.h"
#include "generate/environments.h"
#include "live/apply.h"

namespace stator::cli {
namespace {

constexpr const char* kDiffExamples = R"(
Examples:
  stator diff model-old.yaml model.yaml
  git show HEAD~1:model.yaml > /tmp/old.yaml && stator diff /tmp/old.yaml model.yaml --json

Prints what changes and the steps of the migration in the order in which they must happen.
Exits with 1 if something cannot be done in place, 2 if a file cannot be read.
)";

struct DiffCommand {
  std::string old_file;
  std::string new_file;
  bool json = false;
};

int RunDiff(const DiffCommand& command) {
  const std::optional<model::Model> old = LoadModelOrComplain(command.old_file);
  const std::optional<model::Model> now = LoadModelOrComplain(command.new_file);
  if (!old || !now) return kExitUsage;
  const model::ModelDiff diff = model::CompareModels(*old, *now);
  std::fputs((command.json ? model::DiffJson(diff) : model::DiffText(diff)).c_str(), stdout);
  const bool stuck = std::ranges::any_of(diff.findings, [](const model::Finding& finding) {
    return finding.severity == model::Severity::kError;
  });
  return stuck ? kExitFailure : kExitOk;
}

constexpr const char* kApplyExamples = R"(
Examples:
  stator apply model.yaml --endpoint http://127.0.0.1:8000 --dry-run     show the steps
  stator apply model.yaml --endpoint aws --region eu-north-1 --env prod
  stator apply model.yaml --data ./data --rate 50                        50 items per second
  stator apply model.yaml --endpoint URL --prune                         delete other indexes too

Tables are created, or altered one index at a time. Items that were written before an index existed
get its keys, each only if it still exists and has not changed. The command can be stopped, even
killed, at any time: run it again, and it continues where it stopped (.stator-apply keeps its progress).
Exits with 0 when the tables are as the model says, 1 when a step failed or cannot be done.
)";

struct ApplyCommand {
  std::string file;
  LiveTables tables;
  live::ApplyOptions options;
};

std::atomic<bool> stop_requested = false;

void StopOnSignals() {
  struct sigaction action = {};
  action.sa_handler = [](int) { stop_requested = true; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);  // a second signal ends it at once
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

// Prints each step, and what it did.
int ApplyTable(Endpoint& endpoint, const model::Model& model, const model::Table& table,
               const live::ApplyOptions& options) {
  const std::string name = options.table_prefix + table.name;
  std::optional<ProgressLine> line;
  const live::ApplyObserver observer = {
      .begin =
          [&](const live::Step& step) {
            fmt::print("{}: {}\n", name, step.text);
            std::fflush(stdout);
            line.emplace();
          },
      .end =
          [&](const live::StepOutcome& outcome) {
            line.reset();
            if (outcome.text.empty()) return;
            fmt::print("  {}{}\n", outcome.failed ? "FAILED: " : "", outcome.text);
          },
      .progress = [&](const LiveProgress& progress) { line->Callback()(progress); }};
  const auto outcome = live::ApplyTable(endpoint, model, table, options, observer);
  line.reset();
  if (!outcome) {
    Complain(fmt::format("{}: {}", outcome.error().name(), outcome.error().message()));
    return kExitFailure;
  }
  if (outcome->steps == 0) fmt::print("{}: nothing to do\n", name);
  return outcome->complete ? kExitOk : kExitFailure;
}

// False if the model does not know the environment. Without one, settings that differ between
// environments stay as they are, and a line says so.
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
  const std::unique_ptr<Endpoint> endpoint = OpenTablesOrComplain(command.tables);
  if (!endpoint) return kExitUsage;
  command.options.table_prefix = command.tables.name_prefix;
  command.options.now = SystemClock().Now();
  command.options.stop = &stop_requested;
  StopOnSignals();
  int exit_code = kExitOk;
  for (const model::Table& table : model->tables) {
    const int code = ApplyTable(*endpoint, *model, table, command.options);
    if (code != kExitOk) exit_code = code;
    if (stop_requested) break;
  }
  return exit_code;
}

void AddDiffCommand(Syntax& syntax) {
  const auto command = std::make_shared<DiffCommand>();
  Subcommand diff =
      syntax.Add("diff", "Plan the migration from one model to another", kDiffExamples);
  diff.Add("OLD", command->old_file, "The model as it was").Required();
  diff.Add("NEW", command->new_file, "The model as it should be").Required();
  diff.Flag("--json", command->json, "Write JSON");
  diff.Runs([command] { return RunDiff(*command); });
}

void AddApplyCommand(Syntax& syntax) {
  const auto command = std::make_shared<ApplyCommand>();
  Subcommand apply = syntax.Add(
      "apply", "Create and alter tables as a model says, and fill their indexes", kApplyExamples);
  apply.Add("MODEL", command->file, "The model file").Required();
  AddTableOptions(apply, command->tables);
  live::ApplyOptions& options = command->options;
  apply.Add("--env", options.steps.environment, "Environment, for settings that differ")
      .Type("NAME");
  apply.Flag("--dry-run", options.dry_run, "Show the steps, change nothing");
  apply.Flag("--prune", options.steps.prune, "Delete indexes that the model does not have");
  apply.Flag("--backfill", options.steps.backfill, "Fill and compare existing indexes, too");
  apply.Add("--segments", options.segments, "Parallel scans (default: the model's, or 4)")
      .Between(1, 256)
      .Type("N");
  apply
      .Add("--rate", options.items_per_second,
           "Items changed per second (default: the model's, or no limit)")
      .NotNegative()
      .Type("N");
  apply
      .Add("--checkpoints", options.checkpoint_directory,
           "Where progress is kept (default: .stator-apply)")
      .Type("DIR");
  apply.Runs([command] { return RunApply(*command); });
}

}  // namespace

void AddMigrationCommands(Syntax& syntax) {
  AddApplyCommand(syntax);
  AddDiffCommand(syntax);
}

}  // namespace stator::cli
