// `homeops demo`: a walk through the system on fresh data in memory.
#ifndef STATOR_SYSTEMS_HOMEOPS_DEMO_H_
#define STATOR_SYSTEMS_HOMEOPS_DEMO_H_

namespace stator::systems::homeops {

// Returns the exit code.
int RunDemo();

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_DEMO_H_
