// stator generate TARGET MODEL: infrastructure, policies and code from a model.
// stator import-workbench FILE: a model from NoSQL Workbench.
#ifndef STATOR_CLI_MODEL_GENERATE_COMMAND_H_
#define STATOR_CLI_MODEL_GENERATE_COMMAND_H_

#include "cli/model/task.h"

namespace CLI {
class App;
}

namespace stator::cli {

void AddGenerateCommand(CLI::App& app, Task& task);
void AddImportWorkbenchCommand(CLI::App& app, Task& task);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_GENERATE_COMMAND_H_
