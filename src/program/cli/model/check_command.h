// stator check MODEL: the proof table and the findings. stator explain RULE: what a rule is about.
#ifndef STATOR_CLI_MODEL_CHECK_COMMAND_H_
#define STATOR_CLI_MODEL_CHECK_COMMAND_H_

#include "cli/model/task.h"

namespace CLI {
class App;
}

namespace stator::cli {

void AddCheckCommand(CLI::App& app, Task& task);
void AddExplainCommand(CLI::App& app, Task& task);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_CHECK_COMMAND_H_
