#include "cli/model/diff_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "cli/command_line.h"
#include "cli/model/model_file.h"
#include "diff/diff.h"

namespace stator::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  stator diff model-old.yaml model.yaml
  git show HEAD~1:model.yaml > /tmp/old.yaml && stator diff /tmp/old.yaml model.yaml --json

Prints what changes and the steps of the migration in the order in which they must happen.
Leaves with 1 if something cannot be done in place, 2 if a file cannot be read.
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

}  // namespace

void AddDiffCommand(CLI::App& app, Task& task) {
  const auto command = std::make_shared<DiffCommand>();
  CLI::App* diff = app.add_subcommand("diff", "Plan the migration from one model to another");
  diff->footer(kExamples);
  diff->add_option("OLD", command->old_file, "The model as it was")->required();
  diff->add_option("NEW", command->new_file, "The model as it shall be")->required();
  diff->add_flag("--json", command->json, "Write JSON");
  diff->callback([command, &task] { task.run = [command] { return RunDiff(*command); }; });
}

}  // namespace stator::cli
