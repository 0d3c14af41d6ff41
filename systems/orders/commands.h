// The subcommands of the program `orders`.
#ifndef STATOR_SYSTEMS_ORDERS_COMMANDS_H_
#define STATOR_SYSTEMS_ORDERS_COMMANDS_H_

#include <expected>
#include <functional>
#include <memory>
#include <string>

#include "stator/entity.h"
#include "systems/program/connection.h"

namespace CLI {
class App;
}
namespace stator {
class Database;
}

namespace stator::systems::orders {

// Exit codes: 0 done, 1 refused, failed or not found, 2 wrong usage.
inline constexpr int kDone = 0;
inline constexpr int kRefused = 1;
inline constexpr int kUsage = 2;

// What the chosen subcommand does; returns the exit code.
using Action = std::function<int(const ConnectionOptions& options)>;

// Each adds its subcommands, which set `action` when they are chosen.
void AddExampleCommands(CLI::App& app, Action& action);  // strategy, pattern
void AddDesignCommands(CLI::App& app, Action& action);   // decide, chart
void AddShopCommands(CLI::App& app, Action& action);     // shop …
void AddPlayCommands(CLI::App& app, Action& action);     // migrate, demo

// The tables that the options name; without any, in memory.
struct Opened {
  Opened();
  Opened(Opened&&) noexcept;
  ~Opened();
  Endpoint& endpoint();

  std::unique_ptr<Database> in_memory;
  std::unique_ptr<Connection> connection;
  std::unique_ptr<Entities> entities;
};
std::expected<Opened, std::string> Open(const ConnectionOptions& options);

int Fail(const std::string& message, int code = kRefused);

}  // namespace stator::systems::orders

#endif  // STATOR_SYSTEMS_ORDERS_COMMANDS_H_
