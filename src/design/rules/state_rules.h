// The rules about states, which state_machine_rules.cc puts together.
#ifndef STATOR_RULES_STATE_RULES_H_
#define STATOR_RULES_STATE_RULES_H_

#include "rules/rules.h"

namespace stator::model {

// state_move_rules.cc
extern const Rule kMoveWithoutSource;  // ST01
extern const Rule kMoveWithoutStamp;   // ST04

// state_graph_rules.cc
extern const Rule kStateWithoutExit;  // ST02
extern const Rule kUnreachableState;  // ST03

// state_value_rules.cc
extern const Rule kUnknownValue;  // ST05

}  // namespace stator::model

#endif  // STATOR_RULES_STATE_RULES_H_
