// `stator apply`: makes the tables of an endpoint what a model says.
#ifndef STATOR_CLI_MODEL_APPLY_COMMAND_H_
#define STATOR_CLI_MODEL_APPLY_COMMAND_H_

#include "cli/model/task.h"

namespace CLI {
class App;
}

namespace stator::cli {

void AddApplyCommand(CLI::App& app, Task& task);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_APPLY_COMMAND_H_
