// stator chart MODEL: entity charts and diagrams.
#ifndef STATOR_CLI_MODEL_CHART_COMMAND_H_
#define STATOR_CLI_MODEL_CHART_COMMAND_H_

#include "cli/model/task.h"

namespace CLI {
class App;
}

namespace stator::cli {

void AddChartCommand(CLI::App& app, Task& task);

}  // namespace stator::cli

#endif  // STATOR_CLI_MODEL_CHART_COMMAND_H_
