// reconciler: finds the calls that need a second look, and sees to it that each gets one.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <iostream>

#include "systems/program/model_text.h"
#include "systems/program/output.h"
#include "systems/program/process.h"
#include "systems/program/program.h"
#include "systems/reconciler/account.h"
#include "systems/reconciler/demo.h"
#include "systems/reconciler/ingest.h"
#include "systems/reconciler/load.h"
#include "systems/reconciler/operator_commands.h"
#include "systems/reconciler/poller.h"
#include "systems/reconciler/table_command.h"

namespace stator::systems::reconciler {
namespace {

constexpr const char* kAbout =
    R"(Finds phone calls whose audio is missing or whose processing failed or never finished, and
asks for their reconciliation: once, or again and again until everything is OK.

A first round:
  stator serve ./data &
  reconciler ingest calls.jsonl --endpoint http://127.0.0.1:8000
  reconciler poll --lookback 7d --out payloads.jsonl --endpoint http://127.0.0.1:8000
  reconciler report --endpoint http://127.0.0.1:8000

`reconciler demo` shows all of it and needs nothing.
Exit code: 0 all well, 1 something went wrong, 2 the command line was not understood.)";

constexpr const char* kIngestHelp =
    R"(Reads what is reported about calls, one JSON object per line:
  {"TenantId":"acme","CallId":"c1","CallDateTime":"2026-02-28T07:00:00Z","AudioReceived":true,
   "ProcessingStatus":"PROCESSING","UpdatedAt":"2026-02-28T07:05:00Z"}
The first line of a call needs CallDateTime; later ones hold what has changed. With UpdatedAt, a line
that is older than what is known changes nothing, so that a file may be read again.)";

constexpr const char* kPollHelp =
    R"(Emits a payload for every call that needs reconciliation, the oldest first, and marks it. Several
pollers may run at once, and each may be killed: a file gets every payload once. Over HTTP, a payload
whose answer was lost comes again, with the same Idempotency-Key.
With --again-after, what was emitted so long ago and is still not OK comes again as a new attempt.)";

// A delivery over HTTP may take so long, and must be over before its lease is.
constexpr std::chrono::seconds kPostLeaseMin(20);

int RunIngest(CallTable& table, const std::string& path, int threads) {
  std::ifstream file;
  if (path != "-") {
    file.open(path);
    if (!file) return Fail(path + ": cannot be read");
  }
  UsageMeter meter(table, "ingest");
  IngestOptions options{.threads = threads, .refused = {}, .progress = {}};
  ProgressLine progress;
  options.refused = [&](std::int64_t line, const std::string& problem) {
    progress.Clear();
    fmt::print(stderr, "line {}: {}\n", line, problem);
  };
  options.progress = [&](const IngestSummary& summary) {
    progress.Show(fmt::format("{} lines", summary.lines));
  };
  const auto summary =
      IngestLines(table, path == "-" ? std::cin : static_cast<std::istream&>(file), options);
  progress.Clear();
  if (!summary) return Fail(summary.error().message);
  if (const auto recorded = meter.Record(1, summary->lines); !recorded) {
    return Fail(recorded.error().message);
  }
  fmt::print("{} line{}: {} new, {} changed, {} unchanged, {} stale, {} refused\n", summary->lines,
             summary->lines == 1 ? "" : "s", summary->created, summary->changed, summary->unchanged,
             summary->stale, summary->refused);
  return summary->refused == 0 ? kDone : kFailed;
}

struct PollArguments {
  std::string lookback = "7d";
  std::string processing_older_than = "1h";
  std::string again_after;
  std::string tenant;
  bool newest = false;
  bool oldest = false;  // the default
  std::string out;
  std::string post;
  bool dry_run = false;
  std::string lease = "60s";
  std::string owner;  // default: host and process
  int give_up_after = 10;
  double every_seconds = 0;  // 0: once
};

std::string ProcessName() {
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) host[0] = '\0';
  return fmt::format("{}:{}", host.data(), ::getpid());
}

Fallible<PollOptions> PollOptionsOf(const PollArguments& given) {
  const auto lookback = ParseDuration(given.lookback);
  if (!lookback || lookback->count() <= 0) {
    return std::unexpected("--lookback " + given.lookback + ": a time is like 7d or 12h");
  }
  const auto lease = ParseDuration(given.lease);
  if (!lease || lease->count() < 100) {
    return std::unexpected("--lease " + given.lease + ": a time is like 60s, at least 100 ms");
  }
  if (!given.post.empty() && *lease < kPostLeaseMin) {
    return std::unexpected("--lease is too short for --post, which needs at least 20s");
  }
  const auto processing = ParseDuration(given.processing_older_than);
  if (!processing || processing->count() < 0) {
    return std::unexpected("--processing-older-than " + given.processing_older_than +
                           ": a time is like 1h or 30m");
  }
  const auto again = ParseDuration(given.again_after);
  if (!given.again_after.empty() && (!again || again->count() <= 0)) {
    return std::unexpected("--again-after " + given.again_after + ": a time is like 6h or 1d");
  }
  const int targets = static_cast<int>(!given.out.empty()) + static_cast<int>(!given.post.empty()) +
                      static_cast<int>(given.dry_run);
  if (targets != 1) {
    return std::unexpected("say where payloads go: --out FILE, --post URL or --dry-run");
  }
  return PollOptions{.lookback = *lookback,
                     .processing_older_than = *processing,
                     .again_after = given.again_after.empty() ? std::nullopt : again,
                     .tenant = given.tenant,
                     .newest_first = given.newest,
                     .lease = {.owner = given.owner.empty() ? ProcessName() : given.owner,
                               .time = *lease,
                               .sink = {},
                               .give_up_after = given.give_up_after}};
}

// Takes no payloads, for a look without consequences.
class NoSink final : public Sink {
 public:
  const std::string& name() const override { return name_; }
  std::size_t batch() const override { return 1; }
  std::vector<Delivery> Deliver(const std::vector<Payload>& payloads,
                                std::chrono::steady_clock::time_point) override {
    return std::vector<Delivery>(payloads.size());
  }

 private:
  std::string name_ = "nowhere";
};

int PrintPayloads(CallTable& table, const PollOptions& options) {
  Poller poller(table, std::make_unique<NoSink>(), options);
  const auto looked = poller.Look([&](const std::vector<Item>& entries) -> EntityResult<bool> {
    for (const Item& entry : entries) {
      // An index that was made with the seed's own projection does not have all of a payload.
      std::optional<Item> call = entry;
      if (!entry.Find("CallDateTime") || !entry.Find("ProcessingStatus")) {
        TRY(call, table.plain().Get("Call", KeyOf(entry.view())));
      }
      if (call) fmt::print("{}\n", PayloadOf(call->view()).json);
    }
    return true;
  });
  return looked ? kDone : Fail(looked.error().message);
}

std::string SummaryText(const PollSummary& summary) {
  std::string text = fmt::format("{} found, {} emitted", summary.found, summary.emitted);
  const auto add = [&](std::int64_t count, const char* what) {
    if (count != 0) text += fmt::format(", {} {}", count, what);
  };
  add(summary.resolved, "of them resolved");
  add(summary.there_already, "emitted before by a poller that is gone");
  add(summary.busy, "left to others");
  add(summary.given_up, "given up");
  add(summary.released, "not delivered");
  add(summary.overtaken, "changed meanwhile");
  return text + fmt::format("; {} read units for the index", summary.read_units);
}

// One round; false if something went wrong.
bool PollOnce(Poller& poller, UsageMeter& meter) {
  const auto summary = poller.Drain();
  if (!summary) {
    Fail(summary.error().message);
    return false;
  }
  PrintLine(SummaryText(*summary));
  if (!summary->problem.empty()) Fail(summary->problem);
  if (const auto recorded = meter.Record(1, summary->emitted); !recorded) {
    Fail(recorded.error().message);
  }
  return summary->problem.empty();
}

int RunPoll(const Place& place, const PollArguments& given, const Layout& layout) {
  auto options = PollOptionsOf(given);
  if (!options) return Fail(options.error(), kMisused);
  StopSignal stop;  // before a database starts threads
  options->go_on = [&] { return !stop.Came(); };
  const auto tables = Tables::Open(place, ModelText());
  if (!tables) return Fail(tables.error());
  const auto table = OpenCalls(**tables, layout);
  if (!table) return Fail(table.error());
  if (given.dry_run) return PrintPayloads(**table, *options);
  auto sink = OpenSink(given.out.empty() ? given.post : given.out);
  if (!sink) return Fail(sink.error());
  Poller poller(**table, *std::move(sink), *options);
  UsageMeter meter(**table, "poll");
  const std::chrono::milliseconds every(static_cast<std::int64_t>(given.every_seconds * 1000));
  bool well = true;
  do {
    well = PollOnce(poller, meter);
  } while (every.count() > 0 && !stop.Came(every));
  return well ? kDone : kFailed;
}

double PeakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

int RunLoad(CallTable& table, LoadOptions options, const std::string& bad) {
  const auto bad_per_million = ParseShare(bad);
  if (!bad_per_million) return Fail("--bad " + bad + ": a share is like 1% or 0.01", kMisused);
  options.bad_per_million = *bad_per_million;
  UsageMeter meter(table, "load");
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  ProgressLine progress;
  options.progress = [&](const LoadSummary& so_far) {
    const std::int64_t done = so_far.created + so_far.there_already;
    progress.Show(fmt::format("{}, {:.0f} per second, {:.0f} MB of memory",
                              ProgressText("loading calls", done, options.calls),
                              static_cast<double>(done) / seconds(), PeakMegabytes()));
  };
  const auto summary = LoadCalls(table, options);
  progress.Clear();
  const UsedUnits used = table.used();
  if (!summary) return Fail(summary.error().message);
  if (const auto recorded = meter.Record(1, summary->created); !recorded) {
    return Fail(recorded.error().message);
  }
  fmt::print(
      "{} calls created, {} existed already, {} of all are bad; {:.0f} write units, "
      "{:.1f} seconds, at most {:.0f} MB of memory\n",
      summary->created, summary->there_already, summary->bad, used.write, seconds(),
      PeakMegabytes());
  return kDone;
}

void AddIngest(Program& program) {
  Command& command = program.AddCommand("ingest", kIngestHelp);
  struct Arguments {
    std::string file = "-";
    int threads = 8;
    Layout layout;
  };
  auto& given = command.Keep<Arguments>();
  command.AddArgument("FILE", &given.file, "Lines of JSON; - is standard input");
  command.AddOption("--threads", &given.threads, "Calls written at once").Range(1, 64);
  AddLayout(command, given.layout);
  RunOnCalls(command, given.layout,
             [&](CallTable& table) { return RunIngest(table, given.file, given.threads); });
}

void AddPoll(Program& program) {
  Command& command = program.AddCommand("poll", kPollHelp);
  auto& given = command.Keep<PollArguments>();
  command.AddOption("--lookback", &given.lookback, "How old calls may be: 7d, 12h, 90m");
  command.AddOption("--processing-older-than", &given.processing_older_than,
                    "How long a call with its audio may be PROCESSING, by its own time");
  command
      .AddOption("--again-after", &given.again_after,
                 "Emit again what was emitted so long ago and is not OK yet: 6h; default: never")
      .Type("TIME");
  command.AddOption("--tenant", &given.tenant,
                    "Calls of this tenant only; reads those of all, because no key serves it");
  const Option newest = command.AddFlag("--newest", &given.newest, "The newest first");
  command.AddFlag("--oldest", &given.oldest, "The oldest first (the default)").Excludes(newest);
  command.AddOption("--out", &given.out, "A file that gets one line per payload").Type("FILE");
  command.AddOption("--post", &given.post, "Where each payload is sent to, with retries")
      .Type("URL");
  command.AddFlag("--dry-run", &given.dry_run, "Prints the payloads and changes nothing");
  command.AddOption("--every", &given.every_seconds, "Again after so many seconds, until stopped")
      .Type("SECONDS")
      .Range(0.1, 1e6);
  command.AddOption("--lease", &given.lease,
                    "How long other pollers leave a call to one that may have died");
  command.AddOption("--owner", &given.owner, "Name of this poller; default: host and process");
  command.AddOption("--give-up-after", &given.give_up_after, "Attempts to deliver a payload")
      .Range(1, 1'000'000);
  auto& layout = command.Keep<Layout>();
  AddLayout(command, layout);
  command.RunAt(PlaceRule::kRequired,
                [&](const Place& place) { return RunPoll(place, given, layout); });
}

void AddLoad(Program& program) {
  Command& command =
      program.AddCommand("load", "Makes up calls of the last six days, for measuring");
  struct Arguments {
    // A disk syncs many writes as fast as one.
    LoadOptions load{.threads = 128};
    std::string bad = "1%";
    Layout layout;
  };
  auto& given = command.Keep<Arguments>();
  command.AddOption("--calls", &given.load.calls, "How many").Range(0, 1'000'000'000);
  command.AddOption("--bad", &given.bad, "Share that needs reconciliation: 1% or 0.01");
  command.AddOption("--tenants", &given.load.tenants, "How many tenants they belong to")
      .Range(1, 1'000'000);
  command.AddOption("--seed", &given.load.seed, "Another seed makes other calls");
  command.AddFlag(
      "--start-pending", &given.load.start_pending,
      "Each call begins as PENDING, in the index, and gets its state in a second write");
  command.AddOption("--threads", &given.load.threads, "Calls written at once").Range(1, 512);
  AddLayout(command, given.layout);
  RunOnCalls(command, given.layout,
             [&](CallTable& table) { return RunLoad(table, given.load, given.bad); });
}

int Main(int argc, char** argv) {
  Program program("reconciler", kAbout, ModelText());
  AddIngest(program);
  AddPoll(program);
  AddLoad(program);
  AddOperatorCommands(program);
  program.AddCommand("demo", "Plays everything on fresh data and tells what happened")
      .RunAt(PlaceRule::kOptional, RunDemo);
  return program.Main(argc, argv);
}

}  // namespace
}  // namespace stator::systems::reconciler

int main(int argc, char** argv) { return stator::systems::reconciler::Main(argc, argv); }
