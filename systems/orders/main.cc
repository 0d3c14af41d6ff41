// orders: the strategies of secondary indexes as programs that run.
#include "systems/orders/commands.h"
#include "systems/program/model_text.h"

namespace {

constexpr const char* kAbout =
    R"(Secondary indexes by example: five strategies and four patterns over one overloaded table,
the decisions behind them, a shop that uses them, and a migration on a live table.

  orders decide                                   which reads need an index, and why
  orders strategy sparse                          one strategy, told step by step
  orders pattern time                             one pattern
  orders chart --out . --job shop                 docs/specs/jobs/shop/entity-chart-gsi1.md …
  orders --data ./shop shop place alice 550e8400  an order, then `shop by-id 550e8400`
  orders migrate                                  an index is replaced under load

Examples, the migration and the demo run in memory unless --data or --endpoint is given.
Exit code: 0 done, 1 refused, failed or not found, 2 wrong usage.)";

}  // namespace

int main(int argc, char** argv) {
  using namespace stator::systems;
  Program program("orders", kAbout, orders::ModelText());
  orders::AddDesignCommands(program);
  orders::AddExampleCommands(program);
  orders::AddShopCommands(program);
  orders::AddMigrationCommands(program);
  return program.Main(argc, argv);
}
