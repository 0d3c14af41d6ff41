#include "systems/homeops/commands.h"

#include <fmt/format.h>

#include <cstdio>

#include "systems/program/model_text.h"

namespace stator::systems::homeops {

std::int64_t Desk::NowSeconds() const {
  return std::chrono::floor<std::chrono::seconds>(entities.Now()).time_since_epoch().count();
}

int Fail(const std::string& message) {
  fmt::print(stderr, "homeops: {}\n", message);
  return 1;
}

void WithDesk(Shell& shell, const std::function<int(Desk& desk)>& work) {
  RequirePlace(shell.connection);
  auto connection = Connection::Open(shell.connection);
  if (!connection) {
    shell.exit_code = Fail(connection.error());
    return;
  }
  auto entities = OpenEntities(**connection, ModelText());
  if (!entities) {
    shell.exit_code = Fail(entities.error());
    return;
  }
  AliasBook aliases(**entities);
  Memory memory(**entities, aliases);
  Desk desk{**connection, **entities, aliases, memory};
  shell.exit_code = work(desk);
}

}  // namespace stator::systems::homeops
