// generate-log, ingest, state.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <mutex>

#include "systems/homeops/commands.h"
#include "systems/homeops/ingest.h"
#include "systems/homeops/log_generator.h"
#include "systems/homeops/state.h"

namespace stator::systems::homeops {
namespace {

int PrintReport(const IngestReport& report, const UsedUnits& used) {
  fmt::print("{} messages, {} of them known before\n", report.messages, report.repeated);
  for (const auto& [kind, count] : report.kinds) fmt::print("  {:<14}{}\n", kind, count);
  if (report.judged > 0) {
    fmt::print("understood as meant: {} of {} ({:.1f} %)\n", report.right, report.judged,
               100.0 * double(report.right) / double(report.judged));
  }
  fmt::print("answers: {}; failed steps: {}; {:.0f} read units, {:.0f} write units\n",
             report.responded, report.step_failures, used.read, used.write);
  for (const std::string& failure : report.failures) Fail(failure);
  return report.complete() ? 0 : 1;
}

int RunIngest(Desk& desk, const std::string& path, int workers) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file) return Fail("cannot read " + path);
  }
  std::vector<std::string> problems;
  const std::vector<Message> log = ReadLog(path == "-" ? std::cin : file, problems);
  const VocabularyClassifier classifier;
  std::mutex mutex;
  Bot bot(desk.entities, classifier, [&](const std::string& line) {
    const std::scoped_lock lock(mutex);
    fmt::print(stderr, "homeops: {}\n", line);
  });
  IngestReport report = Ingest(bot, log, workers);
  report.failures.insert(report.failures.end(), problems.begin(), problems.end());
  return PrintReport(report, desk.entities.used());
}

}  // namespace

void AddLogCommands(CLI::App& app, Shell& shell) {
  auto* generate = app.add_subcommand("generate-log", "Prints a made-up chat log, JSON lines");
  auto log = std::make_shared<LogOptions>();
  generate->add_option("--seed", log->seed, "The same seed gives the same log");
  generate->add_option("--messages", log->messages, "How many")->check(CLI::Range(0, 1'000'000));
  generate->add_option("--per-day", log->per_day, "Messages a day")->check(CLI::Range(1, 1000));
  generate->add_option("--first-day", log->first_day, "YYYY-MM-DD");
  generate->add_flag("!--no-slang", log->slang, "Only words that are known from the start");
  generate->callback([log] {
    for (const Message& message : GenerateLog(*log)) fmt::print("{}\n", LineOf(message));
  });

  auto* ingest = app.add_subcommand(
      "ingest", "Reads a log and learns from it; a log that was read before changes nothing");
  auto path = std::make_shared<std::string>();
  auto workers = std::make_shared<int>(1);
  ingest->add_option("LOG", *path, "A file of JSON lines, or - for standard input")->required();
  ingest->add_option("--workers", *workers, "At the same time; each user belongs to one")
      ->check(CLI::Range(1, 64));
  ingest->callback([&shell, path, workers] {
    WithDesk(shell, [&](Desk& desk) { return RunIngest(desk, *path, *workers); });
  });

  app.add_subcommand("state", "Prints everything that is stored, one JSON object a line")
      ->callback([&shell] {
        WithDesk(shell, [](Desk& desk) {
          const auto lines = StateLines(desk.connection.endpoint(), desk.connection.table_prefix());
          if (!lines) return Fail(lines.error().message());
          for (const std::string& line : *lines) fmt::print("{}\n", line);
          return 0;
        });
      });
}

}  // namespace stator::systems::homeops
