// The commands of the program, a group in each file.
#ifndef STATOR_SYSTEMS_ORDERS_COMMANDS_H_
#define STATOR_SYSTEMS_ORDERS_COMMANDS_H_

#include "stator/endpoint.h"
#include "systems/program/program.h"

namespace stator::systems::orders {

struct MigrationOptions;

void AddExampleCommands(Program& program);    // strategy, pattern, items, demo
void AddShopCommands(Program& program);       // shop …
void AddMigrationCommands(Program& program);  // migrate

// Plays the migration and prints how it goes; returns the exit code.
int Migrate(Endpoint& endpoint, MigrationOptions options);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_COMMANDS_H_
