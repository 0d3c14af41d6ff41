// Diagrams as SVG.
#ifndef STATOR_DRAWING_SVG_H_
#define STATOR_DRAWING_SVG_H_

#include <string>
#include <vector>

#include "chart/diagram.h"

namespace stator::model {

// One document with the graphs below each other. The same graphs always give the same text, which is
// well-formed XML whatever the names are.
std::string DrawSvg(const std::vector<Graph>& graphs);

}  // namespace stator::model

#endif  // STATOR_DRAWING_SVG_H_
