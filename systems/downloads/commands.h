// The commands of the program `downloads`.
#ifndef STATOR_SYSTEMS_DOWNLOADS_COMMANDS_H_
#define STATOR_SYSTEMS_DOWNLOADS_COMMANDS_H_

#include "systems/program/program.h"

namespace stator::systems::downloads {

void AddPipelineCommands(Program& program);   // run, downloader, poller, requeue
void AddOperationCommands(Program& program);  // source, dashboard, setup, restore

// A day with its accidents, on data of its own.
int RunDemo();

}  // namespace stator::systems::downloads

#endif  // STATOR_SYSTEMS_DOWNLOADS_COMMANDS_H_
