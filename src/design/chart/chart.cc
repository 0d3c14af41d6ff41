#include "chart/chart.h"

#include "chart/entity_chart.h"
#include "chart/graph.h"
#include "chart/markdown_table.h"
#include "chart/mermaid.h"
#include "chart/svg.h"
#include "generate/identifiers.h"

namespace stator::model {
namespace {

// A name for a file, of harmless characters only.
std::string FileWord(std::string_view name) {
  std::string out;
  for (const std::string& word : WordsOf(name)) out += (out.empty() ? "" : "-") + word;
  return out;
}

std::string Heading(const Model& model) {
  return "# Entity chart" + (model.title.empty() ? "" : ": " + MarkdownText(model.title)) + "\n";
}

std::string MainChart(const Model& model, const std::vector<Plan>& plans) {
  std::string out = Heading(model);
  for (const Table& table : model.tables) out += "\n" + TableChart(model, plans, table);
  return out;
}

std::vector<ChartFile> MarkdownFiles(const Model& model, const std::vector<Plan>& plans) {
  std::vector<ChartFile> files = {{"entity-chart.md", MainChart(model, plans)}};
  NameSet words;
  for (const Table& table : model.tables) {
    const std::string infix = model.tables.size() == 1 ? "" : words.Add(FileWord(table.id)) + "-";
    for (const Index& index : table.indexes) {
      files.push_back({"entity-chart-" + infix + IndexLabel(table, index) + ".md",
                       Heading(model) + "\n" + IndexChart(model, plans, table, index)});
    }
  }
  return files;
}

// One drawing for each table and each machine: draw(name, table or null, entity or null).
template <class Draw>
void ForEachDrawing(const Model& model, Draw draw) {
  NameSet words;
  for (const Table& table : model.tables) {
    draw(words.Add(FileWord(table.id) + "-indexes"), &table, nullptr);
  }
  for (const Entity& entity : model.entities) {
    if (entity.machine) draw(words.Add(FileWord(entity.name) + "-states"), nullptr, &entity);
  }
}

}  // namespace

std::vector<ChartFile> DrawCharts(const Model& model, const std::vector<Plan>& plans,
                                  ChartFormat format) {
  if (format == ChartFormat::kMarkdown) return MarkdownFiles(model, plans);
  std::vector<ChartFile> files;
  ForEachDrawing(model, [&](const std::string& name, const Table* table, const Entity* entity) {
    const Graph graph = table != nullptr ? IndexGraph(model, plans, *table) : StateGraph(*entity);
    if (format == ChartFormat::kSvg) {
      files.push_back({name + ".svg", DrawSvg({graph})});
    } else {
      files.push_back(
          {name + ".mmd", table != nullptr ? MermaidFlowchart(graph) : MermaidStates(*entity)});
    }
  });
  return files;
}

std::string DrawOneChart(const Model& model, const std::vector<Plan>& plans, ChartFormat format) {
  std::string out;
  if (format == ChartFormat::kMarkdown) {
    out = MainChart(model, plans);
    for (const Table& table : model.tables) {
      for (const Index& index : table.indexes) {
        out += "\n" + IndexChart(model, plans, table, index);
      }
    }
    return out;
  }
  if (format == ChartFormat::kMermaid) {
    for (const ChartFile& file : DrawCharts(model, plans, format)) {
      out += (out.empty() ? "" : "\n") + std::string("```mermaid\n") + file.text + "```\n";
    }
    return out;
  }
  std::vector<Graph> graphs;
  for (const Table& table : model.tables) graphs.push_back(IndexGraph(model, plans, table));
  for (const Entity& entity : model.entities) {
    if (entity.machine) graphs.push_back(StateGraph(entity));
  }
  return DrawSvg(graphs);
}

}  // namespace stator::model
