// `stator audit`: what is wrong with the items that are there.
#ifndef STATOR_CLI_MODEL_AUDIT_COMMAND_H_
#define STATOR_CLI_MODEL_AUDIT_COMMAND_H_

#include "cli/model/task.h"

namespace CLI {
class App;
}

namespace stator::cli {

void AddAuditCommand(CLI::App& app, Task& task);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_AUDIT_COMMAND_H_
