#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "systems/orders/commands.h"
#include "systems/orders/decide.h"
#include "systems/orders/example.h"
#include "systems/orders/migration.h"
#include "systems/orders/progress_bar.h"
#include "systems/program/model_text.h"

namespace stator::systems::orders {
namespace {

int Migrate(Endpoint& endpoint, MigrationOptions how) {
  how.progress = DrawProgress();
  how.say = [](const std::string& line) {
    ClearProgress();
    fmt::print("  {}\n", line);
    std::fflush(stdout);
  };
  const auto report = PlayMigration(endpoint, how);
  ClearProgress();
  if (!report) return Fail(report.error());
  if (!report->complete) {
    fmt::print("  stopped after {} steps; run the command again to go on\n", how.steps);
    return kDone;
  }
  fmt::print("  {} writes and {} reads while it ran; {} items\n", report->writes, report->reads,
             report->items);
  return report->flaws.empty() ? kDone : kRefused;
}

int RunMigrate(const ConnectionOptions& options, MigrationOptions how) {
  auto opened = Open(options);
  if (!opened) return Fail(opened.error());
  how.traffic.table_prefix = options.table_prefix;
  return Migrate(opened->endpoint(), std::move(how));
}

// Everything, one after the other, on fresh tables.
int RunDemo(const ConnectionOptions& options) {
  auto opened = Open(options);
  if (!opened) return Fail(opened.error());
  const auto model = Model::Parse(ModelText());
  if (!model) return Fail(model.error());
  fmt::print("Which reads need an index\n\n{}", DecisionTree(CheckDesign(*model)));
  std::fflush(stdout);
  Narrator narrator(*opened->entities, std::cout);
  for (const auto examples : {Strategies(), Patterns()}) {
    for (const Example& example : examples) {
      if (const auto ran = RunExample(example, narrator); !ran) return Fail(ran.error().message);
    }
  }
  const UsedUnits used = opened->entities->used();
  std::cout << fmt::format("\n  Together {:g} WRU and {:g} RRU in {} requests.\n", used.write,
                           used.read, used.requests)
            << "\nA migration, with writers and readers at work\n"
            << std::flush;
  MigrationOptions how;
  how.traffic.table_prefix = options.table_prefix;
  how.traffic.orders = 1000;
  how.traffic.new_orders = 300;
  return Migrate(opened->endpoint(), std::move(how));
}

}  // namespace

void AddPlayCommands(CLI::App& app, Action& action) {
  const auto how = std::make_shared<MigrationOptions>();
  auto* migrate = app.add_subcommand(
      "migrate",
      "Replaces the status index of a live table while writers and readers go on; a run that was\n"
      "killed is taken up");
  migrate->add_option("--orders", how->traffic.orders, "Orders that are there before")
      ->check(CLI::Range(4, 10'000'000));
  migrate->add_option("--new-orders", how->traffic.new_orders, "Orders placed while it runs")
      ->check(CLI::Range(0, 10'000'000));
  migrate
      ->add_option("--steps", how->steps, "Steps that are done, of 5; the rest is for the next run")
      ->check(CLI::Range(1, 5));
  migrate->add_option("--writers", how->traffic.writers, "Writers at work")
      ->check(CLI::Range(1, 64));
  migrate
      ->add_option("--checkpoints", how->checkpoint_directory,
                   "Where the place of the backfill is kept")
      ->type_name("DIR");
  migrate->callback([&action, how] {
    action = [how](const ConnectionOptions& options) { return RunMigrate(options, *how); };
  });
  app.add_subcommand("demo", "All of it on fresh data, with an account of what it cost")
      ->callback([&action] { action = RunDemo; });
}

}  // namespace stator::systems::orders
