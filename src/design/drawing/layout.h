// Where the nodes, arrows and labels of a diagram go: layers from left to right, as Graphviz's dot lays
// them out.
#ifndef STATOR_DRAWING_LAYOUT_H_
#define STATOR_DRAWING_LAYOUT_H_

#include <string>
#include <vector>

#include "chart/diagram.h"

namespace stator::model {

struct Point {
  double x = 0;
  double y = 0;  // grows downwards
};

struct Box {
  double x = 0;  // of the upper left corner
  double y = 0;
  double width = 0;
  double height = 0;
};

struct Label {
  std::vector<std::string> lines;  // none: the arrow has no label
  Box box;
};

struct Arrow {
  std::vector<Point> curve;  // where it begins, then three points per Bézier curve
  Point tip;                 // a straight line joins it to the end of the curve
  Label label;
};

struct Layout {
  std::vector<Box> nodes;     // one per node of the graph
  std::vector<Arrow> arrows;  // one per edge
  double width = 0;
  double height = 0;
};

// Sizes in pixels. Every font of the drawing is a monospaced one, whose characters are at most this wide.
inline constexpr double kNodeColumnWidth = 7.3;
inline constexpr double kNodeLineHeight = 16;
inline constexpr double kLabelColumnWidth = 6.3;
inline constexpr double kLabelLineHeight = 13;

// No two nodes, no two labels, and no node and label overlap; all of it lies between (0, 0) and (width, height).
// Thread-safe. No text of the graph reaches Graphviz, only its size.
Layout LayOut(const Graph& graph);

}  // namespace stator::model

#endif  // STATOR_DRAWING_LAYOUT_H_
