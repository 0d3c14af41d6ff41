#include "chart/chart.h"

#include "chart/entity_chart.h"
#include "generate/identifiers.h"

namespace stator::model {
namespace {

// A name for a file, of harmless characters only.
std::string FileWord(std::string_view name) {
  std::string out;
  for (const std::string& word : WordsOf(name)) out += (out.empty() ? "" : "-") + word;
  return out;
}

std::string MainChart(const Model& model, const std::vector<Plan>& plans) {
  std::string out = ChartHeading(model);
  for (const Table& table : model.tables) out += "\n" + TableChart(model, plans, table);
  return out;
}

}  // namespace

std::vector<DesignChart> EntityCharts(const Model& model, const std::vector<Plan>& plans) {
  std::vector<DesignChart> charts = {{"entity-chart.md", MainChart(model, plans)}};
  NameSet words;
  for (const Table& table : model.tables) {
    const std::string infix = model.tables.size() == 1 ? "" : words.Add(FileWord(table.id)) + "-";
    for (const Index& index : table.indexes) {
      charts.push_back({"entity-chart-" + infix + IndexLabel(table, index) + ".md",
                        ChartHeading(model) + "\n" + IndexChart(model, plans, table, index)});
    }
  }
  return charts;
}

std::string EntityChartText(const Model& model, const std::vector<Plan>& plans) {
  std::string out = MainChart(model, plans);
  for (const Table& table : model.tables) {
    for (const Index& index : table.indexes) out += "\n" + IndexChart(model, plans, table, index);
  }
  return out;
}

std::vector<Diagram> DiagramsOf(const Model& model, const std::vector<Plan>& plans) {
  std::vector<Diagram> diagrams;
  NameSet names;
  for (const Table& table : model.tables) {
    Graph graph = IndexGraph(model, plans, table);
    std::string mermaid = MermaidFlowchart(graph);
    diagrams.push_back(
        {names.Add(FileWord(table.id) + "-indexes"), std::move(graph), std::move(mermaid)});
  }
  for (const Entity& entity : model.entities) {
    if (!entity.machine) continue;
    diagrams.push_back(
        {names.Add(FileWord(entity.name) + "-states"), StateGraph(entity), MermaidStates(entity)});
  }
  return diagrams;
}

}  // namespace stator::model
