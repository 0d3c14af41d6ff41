// stator chart: a model as Markdown, Mermaid or SVG.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "chart/chart.h"
#include "cli/commands.h"
#include "cli/model/model_command.h"
#include "drawing/svg.h"

namespace stator::cli {
namespace {

constexpr const char* kChartExamples = R"(
Examples:
  stator chart model.yaml
  stator chart model.yaml --out docs/specs/jobs/orders
  stator chart model.yaml --format svg > model.svg

With --out, Markdown becomes entity-chart.md and entity-chart-gsiN.md; Mermaid and SVG become one
file per table and per state machine.
)";

enum class ChartFormat : std::uint8_t { kMarkdown, kMermaid, kSvg };

struct ChartCommand {
  std::string file;
  std::string directory;
  ChartFormat format = ChartFormat::kMarkdown;
};

int WriteFiles(const std::vector<DesignChart>& files, const std::string& directory) {
  std::error_code problem;
  std::filesystem::create_directories(directory, problem);
  if (problem) {
    Complain("cannot create " + directory + ": " + problem.message());
    return kExitFailure;
  }
  for (const DesignChart& file : files) {
    const std::string path = (std::filesystem::path(directory) / file.file_name).string();
    if (!WriteFileOrComplain(path, file.text)) return kExitFailure;
    std::fputs((path + "\n").c_str(), stdout);
  }
  return kExitOk;
}

std::vector<DesignChart> ChartFiles(const model::Model& model,
                                    const std::vector<model::Plan>& plans, ChartFormat format) {
  if (format == ChartFormat::kMarkdown) return model::EntityCharts(model, plans);
  std::vector<DesignChart> files;
  for (model::Diagram& diagram : model::DiagramsOf(model, plans)) {
    if (format == ChartFormat::kMermaid) {
      files.push_back({diagram.name + ".mmd", std::move(diagram.mermaid)});
    } else {
      files.push_back({diagram.name + ".svg", model::DrawSvg({std::move(diagram.graph)})});
    }
  }
  return files;
}

// Everything in one text: for a terminal, or one file.
std::string ChartText(const model::Model& model, const std::vector<model::Plan>& plans,
                      ChartFormat format) {
  if (format == ChartFormat::kMarkdown) return model::EntityChartText(model, plans);
  std::string fenced;
  std::vector<model::Graph> graphs;
  for (model::Diagram& diagram : model::DiagramsOf(model, plans)) {
    fenced += (fenced.empty() ? "" : "\n") + ("```mermaid\n" + diagram.mermaid) + "```\n";
    graphs.push_back(std::move(diagram.graph));
  }
  return format == ChartFormat::kMermaid ? fenced : model::DrawSvg(graphs);
}

int RunChart(const ChartCommand& command) {
  const std::optional<model::Model> model = LoadModelOrComplain(command.file);
  if (!model) return kExitFailure;
  const std::vector<model::Plan> plans = model::ResolvePatterns(*model);
  if (!command.directory.empty()) {
    return WriteFiles(ChartFiles(*model, plans, command.format), command.directory);
  }
  std::fputs(ChartText(*model, plans, command.format).c_str(), stdout);
  return kExitOk;
}

}  // namespace

void AddChartCommand(Syntax& syntax) {
  const auto command = std::make_shared<ChartCommand>();
  Subcommand chart =
      syntax.Add("chart", "Draw the entities, keys and indexes of a model", kChartExamples);
  chart.Add("MODEL", command->file, "The model file").Required().Type("FILE");
  chart.Add("--out", command->directory, "Write files into this directory (default: print)")
      .Type("DIR");
  chart.AddChoice("--format", command->format,
                  {std::pair{"markdown", ChartFormat::kMarkdown},
                   {"mermaid", ChartFormat::kMermaid},
                   {"svg", ChartFormat::kSvg}},
                  "What to draw (default: markdown)");
  chart.Runs([command] { return RunChart(*command); });
}

}  // namespace stator::cli
