// The guide's decisions, taken from a model: does a pattern need an index, and which; and the
// model's entity charts as files.
#ifndef STATOR_SYSTEMS_ORDERS_DESIGN_H_
#define STATOR_SYSTEMS_ORDERS_DESIGN_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "stator/design.h"
#include "stator/model.h"
#include "systems/program/fallible.h"

namespace stator::systems::orders {

enum class Decision : std::uint8_t {
  kPrimaryKey,  // the table's key serves it: no index
  kScan,        // rare, and declared to be rare: no index
  kRedesign,    // must see the newest write, which no global index shows: another primary key
  kIndex,       // common, and may be a moment old
  kNothing,     // nothing serves it
};

// REQUIRES: proof.is_read.
Decision Decide(const PatternProof& proof);

// The three questions with their answers for every read of the model.
std::string DecisionTree(const Design& design);
// Entity | Access Pattern | Satisfied by PK? | Notes.
std::string SatisfiedTable(const Design& design);
// Which projection the patterns of each index ask for.
std::string ProjectionTree(const Design& design);

// Writes OUT/docs/specs/jobs/JOB/entity-chart.md and entity-chart-gsiN.md for each index, and
// returns their paths. The name of a job consists of letters, digits, `-`, `_` and `.`, and does
// not begin with a dot.
Fallible<std::vector<std::filesystem::path>> WriteCharts(const Model& model,
                                                         const std::filesystem::path& out,
                                                         const std::string& job);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_DESIGN_H_
