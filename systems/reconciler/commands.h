// The commands of the program `reconciler`.
#ifndef STATOR_SYSTEMS_RECONCILER_COMMANDS_H_
#define STATOR_SYSTEMS_RECONCILER_COMMANDS_H_

#include "systems/program/program.h"

namespace stator::systems::reconciler {

void AddIngest(Program& program);
void AddPoll(Program& program);
void AddLoad(Program& program);
void AddReport(Program& program);
// A day of the reconciler in a few seconds, told as it happens.
void AddDemo(Program& program);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_COMMANDS_H_
