// `calls demo`: a day with the book, told step by step, with the units that each step consumed.
#ifndef STATOR_SYSTEMS_CALLS_DEMO_H_
#define STATOR_SYSTEMS_CALLS_DEMO_H_

#include "systems/program/tables.h"

namespace stator::systems::calls {

// Returns the exit code. Fails if the book is not empty, or if a step does not go as told. Turns
// the clock.
int RunDemo(Tables& tables);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_DEMO_H_
