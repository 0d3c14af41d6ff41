#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "systems/orders/charts.h"
#include "systems/orders/commands.h"
#include "systems/orders/decide.h"
#include "systems/program/model_text.h"

namespace stator::systems::orders {
namespace {

struct DesignOptions {
  std::string model_file;
  std::string out = ".";
  std::string job = "orders";
};

std::expected<Model, std::string> ModelOf(const DesignOptions& options) {
  if (!options.model_file.empty()) return Model::Load(options.model_file);
  return Model::Parse(ModelText());
}

int PrintDecisions(const DesignOptions& options) {
  const auto model = ModelOf(options);
  if (!model) return Fail(model.error());
  const Design design = CheckDesign(*model);
  fmt::print("Does it need an index?\n\n{}\n", DecisionTree(design));
  fmt::print("Is the primary key enough?\n\n{}\n", SatisfiedTable(design));
  fmt::print("How much does an index copy?\n\n{}", ProjectionTree(design));
  return kDone;
}

int WriteAllCharts(const DesignOptions& options) {
  const auto model = ModelOf(options);
  if (!model) return Fail(model.error());
  const auto written = WriteCharts(*model, options.out, options.job);
  if (!written) return Fail(written.error());
  for (const auto& path : *written) fmt::print("{}\n", path.string());
  return kDone;
}

}  // namespace

void AddDesignCommands(CLI::App& app, Action& action) {
  const auto options = std::make_shared<DesignOptions>();
  auto* decide = app.add_subcommand(
      "decide", "The decision tree, the table \"Satisfied by PK?\" and the projections of a model");
  auto* chart = app.add_subcommand(
      "chart", "Writes entity charts to DIR/docs/specs/jobs/JOB/entity-chart-gsiN.md");
  for (CLI::App* command : {decide, chart}) {
    command->add_option("--model", options->model_file, "A model file; default: the one built in")
        ->type_name("FILE");
  }
  chart->add_option("--out", options->out, "Where docs/specs/jobs/JOB is made; default: here")
      ->type_name("DIR");
  chart->add_option("--job", options->job, "The name of the job; default: orders")
      ->type_name("JOB");
  decide->callback([&action, options] {
    action = [options](const ConnectionOptions&) { return PrintDecisions(*options); };
  });
  chart->callback([&action, options] {
    action = [options](const ConnectionOptions&) { return WriteAllCharts(*options); };
  });
}

}  // namespace stator::systems::orders
