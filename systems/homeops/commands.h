// The subcommands of the program. Each adds itself and leaves its exit code in `Shell::exit_code`:
// 0 done, 1 it failed or there is no answer, 2 the command line is wrong (CLI11 sees to that).
#ifndef STATOR_SYSTEMS_HOMEOPS_COMMANDS_H_
#define STATOR_SYSTEMS_HOMEOPS_COMMANDS_H_

#include <functional>
#include <memory>
#include <string>

#include "systems/homeops/alias_book.h"
#include "systems/homeops/memory.h"
#include "systems/program/connection.h"

namespace stator::systems::homeops {

struct Shell {
  ConnectionOptions connection;
  std::string chat = "hemma";
  int exit_code = 0;
};

// What a command works with.
struct Desk {
  Connection& connection;
  Entities& entities;
  AliasBook& aliases;
  Memory& memory;

  std::int64_t NowSeconds() const;
};

// Opens the tables and runs `work`, whose result is the exit code. Only in the callback of a command.
void WithDesk(Shell& shell, const std::function<int(Desk& desk)>& work);

// Prints "homeops: …" to standard error; the exit code 1.
int Fail(const std::string& message);

void AddLogCommands(CLI::App& app, Shell& shell);       // generate-log, ingest, state
void AddQuestionCommands(CLI::App& app, Shell& shell);  // who-last, when-last, how-often, habits
void AddAliasCommands(CLI::App& app, Shell& shell);     // aliases, teach
void AddUpkeepCommands(CLI::App& app, Shell& shell);    // migrate, cost, demo

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_COMMANDS_H_
