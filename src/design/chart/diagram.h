// What a diagram shows, before it is drawn: nodes and the arrows between them. Mermaid draws it from text.
#ifndef STATOR_CHART_DIAGRAM_H_
#define STATOR_CHART_DIAGRAM_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/model.h"
#include "model/plan/plan.h"

namespace stator::model {

enum class Shape : std::uint8_t { kBox, kRound, kStore, kDot, kFinal };

struct GraphNode {
  std::vector<std::string> lines;  // the first is its name
  Shape shape = Shape::kBox;
  std::optional<std::size_t> layer;  // absent: found from the arrows
};

struct GraphEdge {
  std::size_t from = 0;
  std::size_t to = 0;
  std::string label;  // may be empty
};

struct Graph {
  std::string title;
  std::vector<GraphNode> nodes;
  std::vector<GraphEdge> edges;
};

// Entities → the table and its indexes, with their keys → the patterns that read them.
Graph IndexGraph(const Model& model, const std::vector<Plan>& plans, const Table& table);

// States and moves, after a dot from which the initial states are entered. A state is final
// (Shape::kFinal) if the model ends there and no move leads to another state, `*` moves included.
// REQUIRES: the entity has a machine.
Graph StateGraph(const Entity& entity);

// A Mermaid flowchart, of a graph as IndexGraph gives it.
std::string MermaidFlowchart(const Graph& graph);

// A Mermaid stateDiagram-v2. REQUIRES: the entity has a machine.
std::string MermaidStates(const Entity& entity);

// Columns that the text fills on a terminal, roughly: its code points.
std::size_t TextColumns(std::string_view utf8);

}  // namespace stator::model

#endif  // STATOR_CHART_DIAGRAM_H_
