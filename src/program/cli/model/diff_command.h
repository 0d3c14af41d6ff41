// `stator diff`: what changes between two models, and in which steps.
#ifndef STATOR_CLI_MODEL_DIFF_COMMAND_H_
#define STATOR_CLI_MODEL_DIFF_COMMAND_H_

#include "cli/model/task.h"

namespace CLI {
class App;
}

namespace stator::cli {

void AddDiffCommand(CLI::App& app, Task& task);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_DIFF_COMMAND_H_
