// A chart of a model, as a file.
#ifndef STATOR_CHART_H_
#define STATOR_CHART_H_

#include <string>

namespace stator {

struct DesignChart {
  std::string file_name;  // "entity-chart-gsi1.md"
  std::string text;
};

}  // namespace stator

#endif  // STATOR_CHART_H_
