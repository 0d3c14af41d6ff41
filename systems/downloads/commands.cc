#include "systems/downloads/commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "systems/downloads/dashboard.h"
#include "systems/downloads/poller.h"
#include "systems/downloads/requeue.h"
#include "systems/downloads/restore.h"
#include "systems/downloads/run.h"
#include "systems/downloads/source.h"
#include "systems/downloads/workers.h"
#include "systems/program/model_text.h"

namespace stator::systems::downloads {
namespace {

int Complain(const std::string& message) {
  fmt::print(stderr, "downloads: {}\n", message);
  return 1;
}

// The connection and the entities on it.
struct Opened {
  std::unique_ptr<Connection> connection;
  std::unique_ptr<Entities> entities;
};

std::expected<Opened, std::string> Open(const CommandOptions& options) {
  Opened opened;
  auto connection = Connection::Open(options.connection);
  if (!connection) return std::unexpected(connection.error());
  opened.connection = *std::move(connection);
  auto entities = OpenEntities(*opened.connection, ModelText());
  if (!entities) return std::unexpected(entities.error());
  opened.entities = *std::move(entities);
  return opened;
}

std::string DateOf(const CommandOptions& options, Entities& entities) {
  return options.date.empty() ? IsoText(entities.Now()).substr(0, 10) : options.date;
}

// Prints at once, also into a pipe.
void Say(const std::string& line) {
  fmt::print("{}\n", line);
  std::fflush(stdout);
}

// Waits for the next look; false: there is none.
bool WaitToLookAgain(const CommandOptions& options) {
  if (options.watch_seconds <= 0) return false;
  std::this_thread::sleep_for(std::chrono::duration<double>(options.watch_seconds));
  return true;
}

}  // namespace

int ServeSource(const CommandOptions& options) {
  const auto setting = ClockSetting::Parse(options.connection.clock);
  if (!setting) return Complain("--clock: " + setting.error());
  const TurnableClock clock(*setting);
  auto keys = KeyPair::LoadOrMake(options.keys_directory);
  if (!keys) return Complain(keys.error());
  const auto source = Source::Start({.port = options.port,
                                     .entities = DefaultEntities(options.files),
                                     .file_bytes = options.file_bytes,
                                     .bytes_per_second = options.bytes_per_second},
                                    *std::move(keys), clock);
  if (!source) return Complain(source.error());
  Say(fmt::format("serving {} files a day at {}", options.files, (*source)->url()));
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

int RunCommand(const CommandOptions& options) {
  const auto opened = Open(options);
  if (!opened) return Complain(opened.error());
  Entities& entities = *opened->entities;
  const auto report = StartDay(entities, {.source_url = options.source_url,
                                          .date = DateOf(options, entities),
                                          .again = options.again});
  if (!report) return Complain(report.error());
  Say(fmt::format("{} is {}: {} jobs made, {} known, {} taken over, {} put back",
                  report->batch.id(), report->batch.status, report->created, report->known,
                  report->adopted, report->requeued));
  if (report->batch.status == "timeout" || report->batch.status == "failed") {
    return Complain("the batch is over; --again begins another");
  }
  return 0;
}

int DownloaderCommand(const CommandOptions& options) {
  const auto opened = Open(options);
  if (!opened) return Complain(opened.error());
  const auto keys = KeyPair::LoadPrivate(options.keys_directory);
  if (!keys) return Complain(keys.error());
  const auto output = OutputFolder::Open(options.output_directory);
  if (!output) return Complain(output.error());
  bool any_failed = false;
  do {
    const auto report = DrainWith(options.workers, *opened->entities, *keys, *output, options.name);
    if (!report) return Complain(report.error());
    any_failed |= report->failed > 0;
    if (report->completed + report->failed + report->lost > 0 || options.watch_seconds <= 0) {
      Say(fmt::format("{} completed ({} were in the folder already), {} failed, {} taken away",
                      report->completed, report->was_there, report->failed, report->lost));
      if (!report->problem.empty()) Complain(report->problem);
    }
  } while (WaitToLookAgain(options));
  return any_failed ? 1 : 0;
}

int PollerCommand(const CommandOptions& options) {
  const auto opened = Open(options);
  if (!opened) return Complain(opened.error());
  Entities& entities = *opened->entities;
  const auto timeout = ParseDuration(options.timeout);
  if (!timeout) return Complain("--timeout: a duration such as 2h");
  const std::string date = DateOf(options, entities);
  while (true) {
    const auto open = OpenBatches(entities, date);
    if (!open) return Complain(open.error());
    bool any_open = false;
    for (const Batch& batch : *open) {
      const auto now = Poll(entities, batch, {.timeout = *timeout});
      if (!now) return Complain(now.error());
      any_open |= now->is_open();
      Say(fmt::format("{} is {}: {} of {} completed, {} failed", now->id(), now->status,
                      now->completed.size(), now->expected.size(), now->failed.size()));
    }
    if ((!any_open && !open->empty()) || !WaitToLookAgain(options)) break;
  }
  const auto batches = BatchesOf(entities, date);
  if (!batches) return Complain(batches.error());
  for (const Batch& batch : *batches) {
    if (batch.status == "completed") return 0;
  }
  return 1;
}

int RequeueCommand(const CommandOptions& options) {
  const auto opened = Open(options);
  if (!opened) return Complain(opened.error());
  do {
    const auto report = RequeueAll(*opened->entities, {.source_url = options.source_url,
                                                       .attempts_max = options.attempts_max});
    if (!report) return Complain(report.error());
    Say(fmt::format("{} stuck, {} never claimed, {} failed: {} put back, {} given up",
                    report->stuck.size(), report->never_claimed.size(), report->failed.size(),
                    report->requeued, report->given_up.size()));
    for (const std::string& refused : report->refused) Say("no new address for " + refused);
  } while (WaitToLookAgain(options));
  return 0;
}

int DashboardCommand(const CommandOptions& options) {
  const auto opened = Open(options);
  if (!opened) return Complain(opened.error());
  const auto board = LookAt(*opened->entities, DateOf(options, *opened->entities));
  if (!board) return Complain(board.error());
  fmt::print("{}", DashboardText(*board));
  return 0;
}

int SetUpCommand(const CommandOptions& options) {
  const auto connection = Connection::Open(options.connection);
  if (!connection) return Complain(connection.error());
  const auto lines =
      SetUpTables((*connection)->endpoint(), options.environment, options.connection.table_prefix);
  if (!lines) return Complain(lines.error());
  for (const std::string& line : *lines) Say(line);
  return 0;
}

int RestoreCommand(const CommandOptions& options) {
  const auto connection = Connection::Open(options.connection);
  if (!connection) return Complain(connection.error());
  RestoreOptions wish{.table_prefix = options.connection.table_prefix,
                      .into_prefix = options.into_prefix,
                      .moment = std::nullopt};
  if (!options.moment.empty()) {
    const auto moment = ClockSetting::Parse("fixed:" + options.moment);
    if (!moment) return Complain("--at: a time such as 2026-02-28T08:00:00Z");
    wish.moment = moment->fixed;
  }
  const auto tables = Restore((*connection)->endpoint(), wish);
  if (!tables) return Complain(tables.error());
  Say(fmt::format("restored {}; go on with --prefix {}", fmt::join(*tables, " and "),
                  options.into_prefix));
  return 0;
}

}  // namespace stator::systems::downloads
