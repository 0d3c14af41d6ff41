// The subcommands of the program `calls`.
#ifndef STATOR_SYSTEMS_CALLS_COMMANDS_H_
#define STATOR_SYSTEMS_CALLS_COMMANDS_H_

#include <functional>

#include "stator/entity.h"
#include "stator/model.h"
#include "systems/calls/call_book.h"
#include "systems/program/connection.h"

namespace CLI {
class App;
}

namespace stator::systems::calls {

// What a command works on.
struct Program {
  Connection& connection;
  const Model& model;
  Entities& entities;
  CallBook& book;
};

// Exit codes: 0 done, 1 refused or not found, 2 wrong usage.
inline constexpr int kDone = 0;
inline constexpr int kRefused = 1;
inline constexpr int kUsage = 2;

// What the chosen subcommand does; returns the exit code.
using Action = std::function<int(Program& program)>;

// Each adds its subcommands, which set `action` when they are chosen.
void AddWriteCommands(CLI::App& app, Action& action);
void AddReadCommands(CLI::App& app, Action& action);
void AddWorkCommands(CLI::App& app, Action& action);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_COMMANDS_H_
