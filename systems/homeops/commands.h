// The commands of the program `homeops`. `chat` is the household that --chat names.
#ifndef STATOR_SYSTEMS_HOMEOPS_COMMANDS_H_
#define STATOR_SYSTEMS_HOMEOPS_COMMANDS_H_

#include <string>

#include "systems/program/program.h"

namespace stator::systems::homeops {

void AddLogCommands(Program& program);                                // generate-log, ingest, state
void AddQuestionCommands(Program& program, const std::string& chat);  // who-last, when-last, …
void AddAliasCommands(Program& program, const std::string& chat);     // aliases, teach
void AddUpkeepCommands(Program& program);                             // migrate, cost

// A walk through the system on fresh data in memory.
int RunDemo();

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_COMMANDS_H_
