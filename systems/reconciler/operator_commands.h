// What operators do: look at the index, take back what was given up, spread the index out.
#ifndef STATOR_SYSTEMS_RECONCILER_OPERATOR_COMMANDS_H_
#define STATOR_SYSTEMS_RECONCILER_OPERATOR_COMMANDS_H_

#include "systems/program/program.h"

namespace stator::systems::reconciler {

// list, retry, report, reshard and model.
void AddOperatorCommands(Program& program);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_OPERATOR_COMMANDS_H_
