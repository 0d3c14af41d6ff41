// Does a pattern need an index, and which: the guide's decisions, taken from a model.
#ifndef STATOR_SYSTEMS_ORDERS_DECIDE_H_
#define STATOR_SYSTEMS_ORDERS_DECIDE_H_

#include <cstdint>
#include <string>

#include "stator/design.h"

namespace stator::systems::orders {

enum class Decision : std::uint8_t {
  kPrimaryKey,  // the table's key serves it: no index
  kScan,        // rare, and said to be so: no index
  kRedesign,    // it must see the newest write, which no global index shows: another primary key
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

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_DECIDE_H_
