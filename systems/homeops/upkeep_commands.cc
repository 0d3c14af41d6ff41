// migrate, cost, demo.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "stator/database.h"
#include "stator/live.h"
#include "systems/homeops/commands.h"
#include "systems/homeops/cost_report.h"
#include "systems/homeops/demo.h"
#include "systems/homeops/log_generator.h"
#include "systems/program/model_text.h"

namespace stator::systems::homeops {
namespace {

int Migrate(const ConnectionOptions& options, bool dry_run) {
  auto connection = Connection::Open(options);
  if (!connection) return Fail(connection.error());
  const auto model = Model::Parse(ModelText());
  if (!model) return Fail(model.error());
  const auto report =
      ApplyModel((*connection)->endpoint(), *model,
                 {.table_prefix = options.table_prefix, .dry_run = dry_run, .backfill = true});
  if (!report) return Fail(report.error().message());
  for (const std::string& line : report->lines) fmt::print("{}\n", line);
  return report->complete ? 0 : 1;
}

int Cost(int messages) {
  auto database = Database::Open({.clock = ClockSetting::FixedAt(kClockMin)});
  if (!database) return Fail(database.error().message());
  const auto model = Model::Parse(ModelText());
  if (!model) return Fail(model.error());
  Entities entities(**database, *model, {.clock = &(*database)->clock()});
  if (auto created = entities.CreateTables(); !created) return Fail(created.error().message);
  const auto report = MeasureCosts(entities, (*database)->clock(),
                                   GenerateLog({.messages = messages, .per_day = 200}));
  if (!report) return Fail(report.error().message);
  fmt::print("{}", CostText(*report));
  return 0;
}

}  // namespace

void AddUpkeepCommands(CLI::App& app, Shell& shell) {
  auto dry_run = std::make_shared<bool>(false);
  auto* migrate = app.add_subcommand(
      "migrate", "Adds chatId-activity-index to tables that are there, and fills it");
  migrate->add_flag("--dry-run", *dry_run, "Only say what would be done");
  migrate->callback([&shell, dry_run] { shell.exit_code = Migrate(shell.connection, *dry_run); });

  auto messages = std::make_shared<int>(2000);
  auto* cost = app.add_subcommand("cost", "Measures what a message costs, beside the seed's table");
  cost->add_option("--messages", *messages, "Of a generated log, played in memory")
      ->check(CLI::Range(1, 100'000));
  cost->callback([&shell, messages] { shell.exit_code = Cost(*messages); });

  app.add_subcommand("demo", "Plays it all in memory, in a few seconds")->callback([&shell] {
    shell.exit_code = RunDemo();
  });
}

}  // namespace stator::systems::homeops
