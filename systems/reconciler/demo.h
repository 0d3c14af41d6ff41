// `reconciler demo`: a day of the reconciler in a few seconds, told as it happens.
#ifndef STATOR_SYSTEMS_RECONCILER_DEMO_H_
#define STATOR_SYSTEMS_RECONCILER_DEMO_H_

#include "systems/program/tables.h"

namespace stator::systems::reconciler {

// Returns the exit code. Without a named place, plays in memory at a fixed time.
int RunDemo(Place place);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_DEMO_H_
