// The commands that work on a model file: check, cost, chart, generate, diff, apply, audit, explain.
//
// Each has a file of its own with one function, which adds the subcommand with its options and its
// examples. Parsing the command line sets task.run to what the command does.
#ifndef STATOR_CLI_MODEL_MODEL_COMMANDS_H_
#define STATOR_CLI_MODEL_MODEL_COMMANDS_H_

#include "cli/model/task.h"

namespace CLI {
class App;
}

namespace stator::cli {

// `task` must live until the command line is parsed.
void AddModelCommands(CLI::App& app, Task& task);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_MODEL_COMMANDS_H_
