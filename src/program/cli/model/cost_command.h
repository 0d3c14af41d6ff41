// stator cost MODEL: units and money, and what is true of the claims.
#ifndef STATOR_CLI_MODEL_COST_COMMAND_H_
#define STATOR_CLI_MODEL_COST_COMMAND_H_

#include "cli/model/task.h"

namespace CLI {
class App;
}

namespace stator::cli {

void AddCostCommand(CLI::App& app, Task& task);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_COST_COMMAND_H_
