// replay, audit, storm, demo.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>

#include "systems/calls/answers.h"
#include "systems/calls/audit.h"
#include "systems/calls/commands.h"
#include "systems/calls/demo.h"
#include "systems/calls/replay.h"
#include "systems/calls/storm.h"

namespace stator::systems::calls {
namespace {

int ShowAudit(Program& program) {
  const auto audit = AuditCalls(
      program.connection.endpoint(), program.model,
      {.table_prefix = program.connection.table_prefix(), .clock = &program.connection.clock()});
  if (!audit) return Refuse(audit.error().message());
  for (const std::string& flaw : audit->flaws) fmt::print("{}\n", flaw);
  fmt::print("audit: {} calls, {} ids held, {}\n", audit->calls, audit->sentinels,
             audit->clean() ? "nothing wrong" : fmt::format("{} flaws", audit->flaws.size()));
  return audit->clean() ? kDone : kRefused;
}

int ShowReplay(Program& program, const std::string& path) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file) return Refuse("cannot read " + path);
  }
  const auto report = Replay(program.book, path == "-" ? std::cin : file);
  if (!report) return Refuse(report.error());
  fmt::print("replayed {} changes; {} had happened before\n", report->done, report->skipped);
  return kDone;
}

int ShowStorm(Program& program, const StormOptions& options) {
  const auto report = RunStorm(program.book, program.entities.Now(), options);
  if (!report) return Refuse(report.error());
  fmt::print(
      "{} threads on {} calls: {} reschedules, {} reassignments, {} changes of provider\n"
      "{} writers were told of a conflict, {} met a call on its way; {} attempts to give an id "
      "twice were refused\n",
      options.threads, options.calls, report->reschedules, report->reassignments,
      report->provider_changes, report->conflicts, report->not_found, report->duplicates);
  for (const std::string& problem : report->problems) fmt::print("WRONG: {}\n", problem);
  const int audited = ShowAudit(program);
  return report->problems.empty() ? audited : kRefused;
}

void AddStorm(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("storm",
                         "Change the same calls from many threads at once, then audit the book")
          ->fallthrough();
  const auto options = std::make_shared<StormOptions>();
  const auto seconds = std::make_shared<double>(2);
  command->add_option("--threads", options->threads, "Writers (8)")->check(CLI::Range(1, 256));
  command->add_option("--seconds", *seconds, "How long (2)")->check(CLI::Range(0.0, 3600.0));
  command->add_option("--calls", options->calls, "Calls, named storm-1 … (24)")
      ->check(CLI::Range(1, 100'000));
  command->add_option("--seed", options->seed, "Of the writers' choices (1)");
  command->callback([=, &action] {
    action = [=](Program& program) {
      options->duration = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
      return ShowStorm(program, *options);
    };
  });
}

}  // namespace

void AddWorkCommands(CLI::App& app, Action& action) {
  CLI::App* replay =
      app.add_subcommand("replay", "Play a journal of changes, each exactly once")->fallthrough();
  const auto path = std::make_shared<std::string>();
  replay->add_option("FILE", *path, "JSON lines, see the README; - is the standard input")
      ->required();
  replay->callback(
      [=, &action] { action = [=](Program& program) { return ShowReplay(program, *path); }; });
  app.add_subcommand("audit", "Check the invariants on every stored call")
      ->fallthrough()
      ->callback([&action] { action = ShowAudit; });
  AddStorm(app, action);
  app.add_subcommand("demo", "Play it all on an empty book, with what it costs")
      ->fallthrough()
      ->callback([&action] { action = RunDemo; });
}

}  // namespace stator::systems::calls
