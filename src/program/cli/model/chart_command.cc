#include "cli/model/chart_command.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "chart/chart.h"
#include "cli/command_line.h"
#include "cli/model/model_file.h"

namespace stator::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  stator chart model.yaml
  stator chart model.yaml --out docs/specs/jobs/orders
  stator chart model.yaml --format svg > model.svg

With --out, Markdown becomes entity-chart.md and entity-chart-gsiN.md; Mermaid and SVG become a file
for each table and each state machine.
)";

struct ChartCommand {
  std::string file;
  std::string directory;
  model::ChartFormat format = model::ChartFormat::kMarkdown;
};

int WriteFiles(const std::vector<model::ChartFile>& files, const std::string& directory) {
  std::error_code problem;
  std::filesystem::create_directories(directory, problem);
  if (problem) {
    Complain("cannot create " + directory + ": " + problem.message());
    return kExitFailure;
  }
  for (const model::ChartFile& file : files) {
    const std::string path = (std::filesystem::path(directory) / file.name).string();
    if (!WriteFileOrComplain(path, file.text)) return kExitFailure;
    std::fputs((path + "\n").c_str(), stdout);
  }
  return kExitOk;
}

int Run(const ChartCommand& command) {
  const std::optional<model::Model> model = LoadModelOrComplain(command.file);
  if (!model) return kExitFailure;
  const std::vector<model::Plan> plans = model::ResolvePatterns(*model);
  if (!command.directory.empty()) {
    return WriteFiles(model::DrawCharts(*model, plans, command.format), command.directory);
  }
  std::fputs(model::DrawOneChart(*model, plans, command.format).c_str(), stdout);
  return kExitOk;
}

}  // namespace

void AddChartCommand(CLI::App& app, Task& task) {
  static const std::map<std::string, model::ChartFormat> kFormats = {
      {"markdown", model::ChartFormat::kMarkdown},
      {"mermaid", model::ChartFormat::kMermaid},
      {"svg", model::ChartFormat::kSvg}};
  const auto command = std::make_shared<ChartCommand>();
  CLI::App* chart = app.add_subcommand("chart", "Draw the entities, keys and indexes of a model");
  chart->footer(kExamples);
  chart->add_option("MODEL", command->file, "The model file")->required()->type_name("FILE");
  chart->add_option("--out", command->directory, "Write files into this directory (default: print)")
      ->type_name("DIR");
  chart->add_option("--format", command->format, "What to draw (default: markdown)")
      ->transform(CLI::CheckedTransformer(kFormats).description(""))
      ->type_name("markdown|mermaid|svg");
  chart->callback([command, &task] { task.run = [command] { return Run(*command); }; });
}

}  // namespace stator::cli
