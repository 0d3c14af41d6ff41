// The commands that let people talk with the bot: on a terminal and over Telegram.
#ifndef STATOR_SYSTEMS_HOMEOPS_TALKING_CHAT_COMMANDS_H_
#define STATOR_SYSTEMS_HOMEOPS_TALKING_CHAT_COMMANDS_H_

#include <string>

#include "systems/program/program.h"

namespace stator::systems::homeops {

// `chat` is the household that the command line names; it must outlive the program.
void AddChatCommands(Program& program, const std::string& chat);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_TALKING_CHAT_COMMANDS_H_
