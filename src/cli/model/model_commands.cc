#include "cli/model/model_commands.h"

namespace stator::cli {

void AddModelCommands([[maybe_unused]] CLI::App& app, [[maybe_unused]] Task& task) {}

}  // namespace stator::cli
