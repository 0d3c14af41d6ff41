// Diagrams as Mermaid, which Markdown viewers draw.
#ifndef STATOR_CHART_MERMAID_H_
#define STATOR_CHART_MERMAID_H_

#include <string>

#include "chart/graph.h"
#include "model/model.h"

namespace stator::model {

// A flowchart, as IndexGraph gives it.
std::string MermaidFlowchart(const Graph& graph);

// A stateDiagram-v2. REQUIRES: the entity has a machine.
std::string MermaidStates(const Entity& entity);

}  // namespace stator::model

#endif  // STATOR_CHART_MERMAID_H_
