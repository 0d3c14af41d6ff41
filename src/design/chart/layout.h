// Where the nodes and arrows of a diagram go: layers from left to right, few crossings.
#ifndef STATOR_CHART_LAYOUT_H_
#define STATOR_CHART_LAYOUT_H_

#include <vector>

#include "chart/graph.h"

namespace stator::model {

struct Point {
  double x = 0;
  double y = 0;
};

struct Box {
  double x = 0;  // of the left upper corner
  double y = 0;
  double width = 0;
  double height = 0;
};

struct Arrow {
  std::vector<Point> points;  // its ends and what lies between
  bool straight = false;      // lines between the points; else curves
  Point label;
};

struct Layout {
  std::vector<Box> nodes;     // one for each node of the graph
  std::vector<Arrow> arrows;  // one for each edge
  double width = 0;
  double height = 0;
};

inline constexpr double kCharWidth = 7.3;  // of the font that diagrams use
inline constexpr double kLineHeight = 16;

// Arrows that point backwards, in cycles, run below the nodes.
Layout LayOut(const Graph& graph);

}  // namespace stator::model

#endif  // STATOR_CHART_LAYOUT_H_
