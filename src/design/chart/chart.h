// A model → charts for people: entity charts in Markdown, and diagrams, which drawing/svg.h draws and which Mermaid
// draws from text. The same model always gives the same text.
#ifndef STATOR_CHART_CHART_H_
#define STATOR_CHART_CHART_H_

#include <string>
#include <vector>

#include "chart/diagram.h"
#include "model/model.h"
#include "model/plan/plan.h"
#include "stator/chart.h"

namespace stator::model {

// entity-chart.md with all tables, and entity-chart-gsiN.md for each index (with the table's name in it
// where there are several).
std::vector<DesignChart> EntityCharts(const Model& model, const std::vector<Plan>& plans);

// All of them in one text.
std::string EntityChartText(const Model& model, const std::vector<Plan>& plans);

struct Diagram {
  std::string name;  // of its file, without the ending: "jobs-indexes"
  Graph graph;
  std::string mermaid;
};

// One diagram per table, then one per state machine.
std::vector<Diagram> DiagramsOf(const Model& model, const std::vector<Plan>& plans);

}  // namespace stator::model

#endif  // STATOR_CHART_CHART_H_
