// Entity charts in Markdown: which entity has which keys, and which pattern they serve.
#ifndef STATOR_CHART_ENTITY_CHART_H_
#define STATOR_CHART_ENTITY_CHART_H_

#include <string>
#include <vector>

#include "model/model.h"
#include "model/plan/plan.h"

namespace stator::model {

// The first line of every chart.
std::string ChartHeading(const Model& model);

// Keys of all entities, the patterns and whether the primary key serves them, projections, diagrams.
std::string TableChart(const Model& model, const std::vector<Plan>& plans, const Table& table);

// Entity | keys of the index | Access Pattern.
std::string IndexChart(const Model& model, const std::vector<Plan>& plans, const Table& table,
                       const Index& index);

// "gsi1", "lsi2": the number counts indexes of that kind in the table.
std::string IndexLabel(const Table& table, const Index& index);

}  // namespace stator::model

#endif  // STATOR_CHART_ENTITY_CHART_H_
