#include <fmt/format.h>

#include "systems/orders/commands.h"
#include "systems/orders/migration.h"
#include "systems/program/output.h"

namespace stator::systems::orders {

int Migrate(Endpoint& endpoint, MigrationOptions options) {
  ProgressLine progress;
  options.progress = [&](const LiveProgress& live) { progress.Show("  " + ProgressText(live)); };
  options.say = [&](const std::string& line) {
    progress.Clear();
    PrintLine("  " + line);
  };
  const auto report = PlayMigration(endpoint, options);
  progress.Clear();
  if (!report) return Fail(report.error());
  if (!report->complete) {
    fmt::print("  stopped after {} steps; run the command again to go on\n", options.steps);
    return kDone;
  }
  fmt::print("  {} writes and {} reads while it ran; {} items\n", report->writes, report->reads,
             report->items);
  return report->flaws.empty() ? kDone : kFailed;
}

void AddMigrationCommands(Program& program) {
  Command& migrate = program.AddCommand(
      "migrate",
      "Replaces the status index of a live table while writers and readers go on; a run that was\n"
      "killed is taken up");
  auto& options = migrate.Keep<MigrationOptions>();
  migrate.AddOption("--orders", &options.traffic.orders, "Orders that exist before")
      .Range(4, 10'000'000);
  migrate.AddOption("--new-orders", &options.traffic.new_orders, "Orders placed while it runs")
      .Range(0, 10'000'000);
  migrate.AddOption("--steps", &options.steps, "Steps to do, of 5; the rest is for the next run")
      .Range(1, 5);
  migrate.AddOption("--writers", &options.traffic.writers, "Writers at work").Range(1, 64);
  migrate
      .AddOption("--checkpoints", &options.checkpoint_directory,
                 "Where the position of the backfill is kept")
      .Type("DIR");
  migrate.RunAt(PlaceRule::kOptional, [&](const Place& place) {
    const auto connection = Connection::Open(place);
    if (!connection) return Fail(connection.error());
    options.traffic.table_prefix = (*connection)->table_prefix();
    return Migrate((*connection)->endpoint(), options);
  });
}

}  // namespace stator::systems::orders
