// downloads: a daily batch of files, fetched once each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <charconv>
#include <chrono>
#include <optional>
#include <thread>

#include "systems/downloads/batch.h"
#include "systems/downloads/demo.h"
#include "systems/downloads/downloader.h"
#include "systems/downloads/operations.h"
#include "systems/downloads/progress.h"
#include "systems/downloads/source.h"
#include "systems/program/model_text.h"
#include "systems/program/output.h"
#include "systems/program/program.h"
#include "systems/program/text.h"

namespace stator::systems::downloads {
namespace {

constexpr const char* kAbout =
    R"(Daily batch downloads: claimed once, decrypted, verified, counted.

A day on one machine:
  stator serve --port 8000 &
  downloads source --keys keys &
  downloads run        --endpoint http://127.0.0.1:8000 --date 2026-02-28
  downloads downloader --endpoint http://127.0.0.1:8000 --keys keys --out output --workers 4
  downloads poller     --endpoint http://127.0.0.1:8000 --date 2026-02-28
  downloads dashboard  --endpoint http://127.0.0.1:8000 --date 2026-02-28

Every command may be repeated and may be killed at any time. --data DIR instead of --endpoint keeps
the tables in a directory, for one process at a time.
Exit code: 0 done, 1 not done, 2 wrong usage.)";

// "500", "64KB", "10MB", "5GB"; nullopt for anything else.
std::optional<std::int64_t> ParseSize(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number > 1'000'000'000) return std::nullopt;
  const std::string_view unit(end, text.data() + text.size());
  if (unit.empty()) return number;
  if (unit == "KB") return number * 1'000;
  if (unit == "MB") return number * 1'000'000;
  if (unit == "GB") return number * 1'000'000'000;
  return std::nullopt;
}

// The options that several commands share; each command has its own copy, and uses what it adds.
struct Arguments {
  std::string date;  // empty: today
  std::string source_url = "http://127.0.0.1:8700";
  std::string ca_file;
  std::string file_bytes_max = "5GB";
  std::string total_bytes_max = "50GB";
  std::string keys_directory = "keys";
  double watch_seconds = 0;  // look again that often; 0: once

  std::string DateOrToday(Entities& entities) const {
    return date.empty() ? SortableTime(entities.Now()).substr(0, 10) : date;
  }
  SizeLimits Limits() const {
    return {.file_bytes = ParseSize(file_bytes_max).value_or(0),
            .total_bytes = ParseSize(total_bytes_max).value_or(0)};
  }
  SourceAccess Source() const {
    return {.url = source_url, .ca_file = ca_file, .limits = Limits()};
  }
  // Waits for the next look; false if this was the last.
  bool WaitToLookAgain() const {
    if (watch_seconds <= 0) return false;
    std::this_thread::sleep_for(std::chrono::duration<double>(watch_seconds));
    return true;
  }
};

void AddDate(Command& command, Arguments& given) {
  command.AddOption("--date", &given.date, "The day, as 2026-02-28; default: today")
      .Check([](const std::string& text) {
        return IsDate(text) ? std::string() : text + " is not a day like 2026-02-28";
      });
}
void AddSource(Command& command, Arguments& given) {
  command.AddOption("--source", &given.source_url, "Where the source answers, http:// or https://")
      .Check(&UrlProblem);
}
// How files are fetched, whatever fetches them.
void AddTrustAndLimits(Command& command, Arguments& given) {
  command.AddOption("--ca", &given.ca_file, "Certificates to trust instead of the system's, as PEM")
      .Type("FILE")
      .Check([](const std::string& path) {
        return ::access(path.c_str(), R_OK) == 0 ? std::string() : path + " cannot be read";
      });
  const auto problem = [](const std::string& text) {
    return ParseSize(text) ? std::string() : text + " is not a size like 64KB, 10MB or 5GB";
  };
  command.AddOption("--max-file", &given.file_bytes_max, "The largest file that is accepted")
      .Type("SIZE")
      .Check(problem);
  command.AddOption("--max-total", &given.total_bytes_max, "The most that is accepted in total")
      .Type("SIZE")
      .Check(problem);
}
void AddWatch(Command& command, Arguments& given) {
  command.AddOption("--watch", &given.watch_seconds, "Look again every so many seconds").Positive();
}

// --- run, downloader, poller, requeue

int StartBatch(Tables& tables, const Arguments& given, bool again) {
  const auto report = StartDay(
      tables.entities(),
      {.source = given.Source(), .date = given.DateOrToday(tables.entities()), .again = again});
  if (!report) return Fail(report.error());
  PrintLine(fmt::format("{} is {}: {} jobs created, {} known, {} taken over, {} put back",
                        report->batch.id(), report->batch.status, report->created, report->known,
                        report->adopted, report->requeued));
  if (report->batch.status == "timeout" || report->batch.status == "failed") {
    return Fail("the batch is over; --again begins another");
  }
  for (const Refusal& refusal : report->refused) {
    Fail(fmt::format("{} is refused: {}", refusal.entity, refusal.why));
  }
  return report->refused.empty() ? kDone : kFailed;
}

struct DownloaderArguments : Arguments {
  std::string output_directory = "output";
  std::string name = "downloader";
  int workers = 1;
};

// Tells how much is waiting, for those who watch.
Fallible<void> LookAhead(Entities& entities, ProgressDisplay& progress) {
  if (!progress.is_on_terminal()) return {};
  TRY(const auto waiting, OrMessage(entities.All("available")));
  std::int64_t bytes = 0;
  for (const Item& item : waiting) bytes += Job::Of(item).file.size_bytes;
  progress.Expect(static_cast<std::int64_t>(waiting.size()), bytes);
  return {};
}

int Download(Tables& tables, const DownloaderArguments& given) {
  const auto keys = KeyPair::LoadPrivate(given.keys_directory);
  if (!keys) return Fail(keys.error());
  const auto output = OutputFolder::Open(given.output_directory);
  if (!output) return Fail(output.error());
  const SizeLimits limits = given.Limits();
  ByteBudget budget(limits.total_bytes);
  ProgressDisplay progress;
  const DownloadOptions options{.fetch = {.ca_file = given.ca_file, .bytes_max = limits.file_bytes},
                                .budget = &budget,
                                .observer = &progress};
  bool all_is_well = true;
  do {
    if (const auto looked = LookAhead(tables.entities(), progress); !looked) {
      return Fail(looked.error());
    }
    const auto report =
        DrainWith(given.workers, tables.entities(), *keys, *output, given.name, options);
    progress.Clear();
    if (!report) return Fail(report.error());
    all_is_well = all_is_well && report->failed == 0 && report->left_out == 0;
    if (report->completed + report->failed + report->lost > 0 || given.watch_seconds <= 0) {
      PrintLine(
          fmt::format("{} completed ({} were in the folder already), {} failed, {} taken away",
                      report->completed, report->was_there, report->failed, report->lost));
    }
    if (report->left_out > 0) Fail("files are left that --max-total has no room for");
  } while (given.WaitToLookAgain());
  return all_is_well ? kDone : kFailed;
}

// ", refused: a b"; empty if none is.
std::string RefusedText(const Batch& batch) {
  if (batch.refused.empty()) return {};
  return fmt::format(", refused: {}", fmt::join(batch.refused, " "));
}

int PollBatches(Tables& tables, const Arguments& given, const std::string& timeout_text) {
  Entities& entities = tables.entities();
  const auto timeout = ParseDuration(timeout_text);
  if (!timeout) return Fail("--timeout: a duration such as 2h");
  const std::string date = given.DateOrToday(entities);
  while (true) {
    const auto open = OpenBatches(entities, date);
    if (!open) return Fail(open.error());
    bool any_open = false;
    for (const Batch& batch : *open) {
      const auto now = Poll(entities, batch, {.timeout = *timeout});
      if (!now) return Fail(now.error());
      any_open |= now->is_open();
      PrintLine(fmt::format("{} is {}: {} of {} completed, {} failed{}", now->id(), now->status,
                            now->completed.size(), now->expected.size(), now->failed.size(),
                            RefusedText(*now)));
    }
    if ((!any_open && !open->empty()) || !given.WaitToLookAgain()) break;
  }
  const auto batches = BatchesOf(entities, date);
  if (!batches) return Fail(batches.error());
  for (const Batch& batch : *batches) {
    if (batch.status == "completed") return kDone;
  }
  return kFailed;
}

int RequeueJobs(Tables& tables, const Arguments& given, std::int64_t attempts_max) {
  do {
    const auto report =
        RequeueAll(tables.entities(), {.source = given.Source(), .attempts_max = attempts_max});
    if (!report) return Fail(report.error());
    PrintLine(fmt::format("{} stuck, {} never claimed, {} failed: {} put back, {} given up",
                          report->stuck.size(), report->never_claimed.size(), report->failed.size(),
                          report->requeued, report->given_up.size()));
    for (const std::string& refused : report->refused) PrintLine("no new address for " + refused);
  } while (given.WaitToLookAgain());
  return kDone;
}

// --- source, dashboard, setup, restore

struct SourceArguments : Arguments {
  int port = 8700;
  std::size_t files = 10;
  std::int64_t file_bytes = 65536;
  std::int64_t bytes_per_second = 0;
  std::string folder;
};

int ServeSource(const Place& place, const SourceArguments& given) {
  const auto setting = ClockSetting::Parse(place.clock);
  if (!setting) return Fail("--clock: " + setting.error());
  const TurnableClock clock(*setting);
  auto keys = KeyPair::LoadOrGenerate(given.keys_directory);
  if (!keys) return Fail(keys.error());
  const auto secret = LoadOrGenerateSecret(given.keys_directory);
  if (!secret) return Fail(secret.error());
  const auto source = Source::Start({.port = given.port,
                                     .secret = *secret,
                                     .entities = DefaultEntities(given.files),
                                     .file_bytes = given.file_bytes,
                                     .bytes_per_second = given.bytes_per_second,
                                     .folder = given.folder},
                                    *std::move(keys), clock);
  if (!source) return Fail(source.error());
  for (const std::string& name : (*source)->LeftOut()) {
    Fail(fmt::format("{} is not published: {}", name, kNameRule));
  }
  const std::string what = given.folder.empty() ? fmt::format("{} files per day", given.files)
                                                : "the files of " + given.folder;
  PrintLine(fmt::format("serving {} at {}", what, (*source)->url()));
  while (true) std::this_thread::sleep_for(std::chrono::hours(1));
}

int PrintDashboard(Tables& tables, const Arguments& given) {
  const auto board = ReadDashboard(tables.entities(), given.DateOrToday(tables.entities()));
  if (!board) return Fail(board.error());
  fmt::print("{}", DashboardText(*board));
  return kDone;
}

int SetUp(const Place& place, const std::string& environment) {
  const auto connection = Connection::Open(place);
  if (!connection) return Fail(connection.error());
  const auto lines = SetUpTables((*connection)->endpoint(), environment, place.table_prefix);
  if (!lines) return Fail(lines.error());
  for (const std::string& line : *lines) PrintLine(line);
  return kDone;
}

int RestoreTables(const Place& place, const std::string& time, const std::string& into_prefix) {
  const auto connection = Connection::Open(place);
  if (!connection) return Fail(connection.error());
  RestoreOptions options{
      .table_prefix = place.table_prefix, .into_prefix = into_prefix, .moment = std::nullopt};
  if (!time.empty()) {
    const auto moment = ClockSetting::Parse("fixed:" + time);
    if (!moment) return Fail("--at: a time such as 2026-02-28T08:00:00Z");
    options.moment = moment->fixed;
  }
  const auto tables = Restore((*connection)->endpoint(), options);
  if (!tables) return Fail(tables.error());
  PrintLine(
      fmt::format("restored {}; go on with --prefix {}", fmt::join(*tables, " and "), into_prefix));
  return kDone;
}

void AddPipelineCommands(Program& program) {
  Command& run = program.AddCommand("run", "Create the day's batch and its jobs");
  auto& to_run = run.Keep<Arguments>();
  auto& again = run.Keep<bool>();
  AddDate(run, to_run);
  AddSource(run, to_run);
  AddTrustAndLimits(run, to_run);
  run.AddFlag("--again", &again, "Begin another batch if the last timed out or failed");
  run.RunOnTables([&](Tables& tables) { return StartBatch(tables, to_run, again); });

  Command& downloader =
      program.AddCommand("downloader", "Claim, download, decrypt and verify files");
  auto& to_download = downloader.Keep<DownloaderArguments>();
  downloader.AddOption("--keys", &to_download.keys_directory, "Where the RSA keys are");
  downloader.AddOption("--out", &to_download.output_directory, "Where the files go");
  downloader.AddOption("--workers", &to_download.workers, "Files at a time").Range(1, 64);
  AddTrustAndLimits(downloader, to_download);
  downloader.AddOption("--name", &to_download.name, "Who claims, for people");
  AddWatch(downloader, to_download);
  downloader.RunOnTables([&](Tables& tables) { return Download(tables, to_download); });

  Command& poller = program.AddCommand("poller", "Complete or time out the day's batch");
  struct PollerArguments : Arguments {
    std::string timeout = "2h";
  };
  auto& to_poll = poller.Keep<PollerArguments>();
  AddDate(poller, to_poll);
  poller.AddOption("--timeout", &to_poll.timeout, "From the start of the batch");
  AddWatch(poller, to_poll);
  poller.RunOnTables([&](Tables& tables) { return PollBatches(tables, to_poll, to_poll.timeout); });

  Command& requeue =
      program.AddCommand("requeue", "Put back what is stuck, failed or was never claimed");
  struct RequeueArguments : Arguments {
    std::int64_t attempts_max = 5;
  };
  auto& to_requeue = requeue.Keep<RequeueArguments>();
  AddSource(requeue, to_requeue);
  AddTrustAndLimits(requeue, to_requeue);
  requeue.AddOption("--attempts", &to_requeue.attempts_max, "Claims before a file is given up")
      .Positive();
  AddWatch(requeue, to_requeue);
  requeue.RunOnTables(
      [&](Tables& tables) { return RequeueJobs(tables, to_requeue, to_requeue.attempts_max); });
}

void AddOperationCommands(Program& program) {
  Command& source =
      program.AddCommand("source", "Publish files: manifests, signed addresses, encrypted content");
  auto& to_serve = source.Keep<SourceArguments>();
  source.AddOption("--port", &to_serve.port, "On 127.0.0.1; 0: any");
  source.AddOption("--keys", &to_serve.keys_directory, "Where the RSA keys are, or are created");
  source.AddOption("--folder", &to_serve.folder, "Publish its files; default: made-up ones")
      .Type("DIR");
  source.AddOption("--files", &to_serve.files, "Files per day, made up").Range(1, 1000);
  source.AddOption("--file-bytes", &to_serve.file_bytes, "Size of a made-up file, roughly")
      .Range(1, 100'000'000);
  source.AddOption("--bytes-per-second", &to_serve.bytes_per_second, "Of a transfer; 0: no limit")
      .NotNegative();
  // It has no tables.
  source.RunAt(PlaceRule::kRefused,
               [&](const Place& place) { return ServeSource(place, to_serve); });

  Command& dashboard = program.AddCommand("dashboard", "Show how things stand");
  auto& to_show = dashboard.Keep<Arguments>();
  AddDate(dashboard, to_show);
  dashboard.RunOnTables([&](Tables& tables) { return PrintDashboard(tables, to_show); });

  Command& setup =
      program.AddCommand("setup", "Make the tables what the model says for an environment");
  struct SetUpArguments {
    std::string environment = "dev";
  };
  auto& to_set_up = setup.Keep<SetUpArguments>();
  setup
      .AddOption("--env", &to_set_up.environment, "dev, test or prod (with point-in-time recovery)")
      .OneOf({"dev", "test", "prod"});
  setup.RunAt(PlaceRule::kRequired,
              [&](const Place& place) { return SetUp(place, to_set_up.environment); });

  Command& restore =
      program.AddCommand("restore", "Bring the tables of a time back, under another prefix");
  struct RestoreArguments {
    std::string time;
    std::string into_prefix;
  };
  auto& to_restore = restore.Keep<RestoreArguments>();
  restore.AddOption("--at", &to_restore.time,
                    "The time, as 2026-02-28T08:00:00Z; default: the latest");
  restore.AddOption("--into", &to_restore.into_prefix, "The prefix of the new tables").Required();
  restore.RunAt(PlaceRule::kRequired, [&](const Place& place) {
    return RestoreTables(place, to_restore.time, to_restore.into_prefix);
  });
}

int Main(int argc, char** argv) {
  Program program("downloads", kAbout, ModelText());
  AddPipelineCommands(program);
  AddOperationCommands(program);
  program.AddCommand("demo", "Play a day, its accidents and its end on fresh data")
      .RunAt(PlaceRule::kRefused, [](const Place&) { return RunDemo(); });
  return program.Main(argc, argv);
}

}  // namespace
}  // namespace stator::systems::downloads

int main(int argc, char** argv) { return stator::systems::downloads::Main(argc, argv); }
