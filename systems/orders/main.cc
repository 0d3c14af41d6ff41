// orders: the strategies of secondary indexes as programs that run.
#include <CLI/CLI.hpp>

#include "systems/orders/commands.h"

namespace stator::systems::orders {
namespace {

constexpr const char* kHelp =
    "Secondary indexes by example: five strategies and four patterns over one overloaded table,\n"
    "the decisions behind them, a shop that uses them, and a migration on a live table.\n\n"
    "  orders decide                                   which reads need an index, and why\n"
    "  orders strategy sparse                          one strategy, told step by step\n"
    "  orders pattern time                             one pattern\n"
    "  orders chart --out . --job shop                 docs/specs/jobs/shop/entity-chart-gsi1.md "
    "…\n"
    "  orders --data ./shop shop place alice 550e8400  an order, then `shop by-id 550e8400`\n"
    "  orders migrate                                  an index is replaced under load\n\n"
    "Examples, the migration and the demo run in memory unless --data or --endpoint is given.\n"
    "Exit code: 0 done, 1 refused, failed or not found, 2 wrong usage.";

int Main(int argc, char** argv) {
  CLI::App app(kHelp, "orders");
  app.require_subcommand(1);
  app.fallthrough();
  ConnectionOptions options;
  AddConnectionOptions(app, options);
  Action action;
  AddDesignCommands(app, action);
  AddExampleCommands(app, action);
  AddShopCommands(app, action);
  AddPlayCommands(app, action);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kDone : kUsage;
  }
  return action(options);
}

}  // namespace
}  // namespace stator::systems::orders

int main(int argc, char** argv) { return stator::systems::orders::Main(argc, argv); }
