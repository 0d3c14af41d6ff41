// A model → charts for people: entity charts in Markdown, diagrams in Mermaid and SVG. The same model
// always gives the same text.
#ifndef STATOR_CHART_CHART_H_
#define STATOR_CHART_CHART_H_

#include <cstdint>
#include <string>
#include <vector>

#include "model/model.h"
#include "model/plan/plan.h"

namespace stator::model {

enum class ChartFormat : std::uint8_t { kMarkdown, kMermaid, kSvg };

struct ChartFile {
  std::string name;  // "entity-chart-gsi1.md"
  std::string text;
};

// Markdown: entity-chart.md with all tables, and entity-chart-gsiN.md for each index (with the
// table's name in it where there are several). Mermaid and SVG: one drawing a table, one a state
// machine.
std::vector<ChartFile> DrawCharts(const Model& model, const std::vector<Plan>& plans,
                                  ChartFormat format);

// Everything in one text: for a terminal, or one file.
std::string DrawOneChart(const Model& model, const std::vector<Plan>& plans, ChartFormat format);

}  // namespace stator::model

#endif  // STATOR_CHART_CHART_H_
