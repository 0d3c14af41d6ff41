// What a diagram shows, before it is drawn: nodes and the arrows between them.
#ifndef STATOR_CHART_GRAPH_H_
#define STATOR_CHART_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "model/plan/plan.h"

namespace stator::model {

enum class Shape : std::uint8_t { kBox, kRound, kStore, kDot };

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

// States and moves. REQUIRES: the entity has a machine.
Graph StateGraph(const Entity& entity);

}  // namespace stator::model

#endif  // STATOR_CHART_GRAPH_H_
