// The commands of the program `orders`.
#ifndef STATOR_SYSTEMS_ORDERS_COMMANDS_H_
#define STATOR_SYSTEMS_ORDERS_COMMANDS_H_

#include "systems/program/program.h"

namespace stator::systems::orders {

void AddDesignCommands(Program& program);     // decide, chart
void AddExampleCommands(Program& program);    // strategy, pattern
void AddShopCommands(Program& program);       // shop …
void AddMigrationCommands(Program& program);  // migrate, demo

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_COMMANDS_H_
