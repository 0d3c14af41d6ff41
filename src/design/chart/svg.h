// Diagrams as SVG, without any other program.
#ifndef STATOR_CHART_SVG_H_
#define STATOR_CHART_SVG_H_

#include <string>
#include <vector>

#include "chart/graph.h"

namespace stator::model {

// One document with the graphs below each other. Well-formed XML whatever the names are.
std::string DrawSvg(const std::vector<Graph>& graphs);

}  // namespace stator::model

#endif  // STATOR_CHART_SVG_H_
