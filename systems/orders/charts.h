// The entity charts of a model, as files where the guide wants them.
#ifndef STATOR_SYSTEMS_ORDERS_CHARTS_H_
#define STATOR_SYSTEMS_ORDERS_CHARTS_H_

#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include "stator/model.h"

namespace stator::systems::orders {

// Writes OUT/docs/specs/jobs/JOB/entity-chart.md and entity-chart-gsiN.md for each index, and
// returns their paths. A job's name is of letters, digits, `-`, `_` and `.`, and does not begin with
// a dot. The error is for people.
std::expected<std::vector<std::filesystem::path>, std::string> WriteCharts(
    const Model& model, const std::filesystem::path& out, const std::string& job);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_CHARTS_H_
