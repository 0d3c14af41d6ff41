#include "systems/reconciler/commands.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <iostream>

#include "systems/program/model_text.h"
#include "systems/reconciler/account.h"
#include "systems/reconciler/ingest.h"
#include "systems/reconciler/load.h"
#include "systems/reconciler/opened.h"
#include "systems/reconciler/usage.h"

namespace stator::systems::reconciler {
namespace {

// A line on stderr that replaces itself, once a second.
class ProgressLine {
 public:
  void Show(const std::string& text, bool now = false) {
    const auto time = std::chrono::steady_clock::now();
    if (!now && time - shown_ < std::chrono::seconds(1)) return;
    shown_ = time;
    fmt::print(stderr, "\r\x1b[K{}", text);
    any_ = true;
  }
  ~ProgressLine() {
    if (any_) fmt::print(stderr, "\n");
  }

 private:
  std::chrono::steady_clock::time_point shown_ = std::chrono::steady_clock::now();
  bool any_ = false;
};

double PeakMegabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

int RunIngest(const ConnectionOptions& where, const IngestCommand& command) {
  std::ifstream file;
  if (command.file != "-") {
    file.open(command.file);
    if (!file) return Fail("{}: cannot be read", command.file);
  }
  auto opened = Opened::Open(where);
  if (!opened) return Fail("{}", opened.error());
  Entities& entities = *opened->entities;
  UsageMeter meter(entities, "ingest");
  IngestOptions options{.threads = command.threads, .refused = {}, .progress = {}};
  options.refused = [](std::int64_t line, const std::string& problem) {
    fmt::print(stderr, "line {}: {}\n", line, problem);
  };
  ProgressLine progress;
  options.progress = [&](const IngestSummary& summary) {
    progress.Show(fmt::format("{} lines", summary.lines));
  };
  const auto summary = IngestLines(
      entities, command.file == "-" ? std::cin : static_cast<std::istream&>(file), options);
  if (!summary) return Fail("{}", summary.error().message);
  if (const auto recorded = meter.Record(1, summary->lines); !recorded) {
    return Fail("{}", recorded.error().message);
  }
  fmt::print("{} line{}: {} new, {} changed, {} unchanged, {} stale, {} refused\n", summary->lines,
             summary->lines == 1 ? "" : "s", summary->created, summary->changed, summary->unchanged,
             summary->stale, summary->refused);
  return summary->refused == 0 ? 0 : 1;
}

int RunLoad(const ConnectionOptions& where, const LoadCommand& command) {
  const auto bad = ParseShare(command.bad);
  if (!bad) return Misused("--bad {}: a share is like 1% or 0.01", command.bad);
  auto opened = Opened::Open(where);
  if (!opened) return Fail("{}", opened.error());
  UsageMeter meter(*opened->entities, "load");
  LoadOptions options{.calls = command.calls,
                      .bad_per_million = *bad,
                      .tenants = command.tenants,
                      .seed = command.seed,
                      .start_pending = command.start_pending,
                      .threads = command.threads};
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  EntityResult<LoadSummary> summary;
  {
    ProgressLine progress;
    options.progress = [&](const LoadSummary& so_far) {
      const std::int64_t done = so_far.created + so_far.there_already;
      progress.Show(fmt::format("{} of {} calls, {:.0f} a second, {:.0f} MB of memory", done,
                                options.calls, static_cast<double>(done) / seconds(),
                                PeakMegabytes()));
    };
    summary = LoadCalls(*opened->entities, options);
  }
  const UsedUnits used = opened->entities->used();
  if (!summary) return Fail("{}", summary.error().message);
  if (const auto recorded = meter.Record(1, summary->created); !recorded) {
    return Fail("{}", recorded.error().message);
  }
  fmt::print(
      "{} calls created, {} were there already, {} of all are bad; {:.0f} write units, "
      "{:.1f} seconds, at most {:.0f} MB of memory\n",
      summary->created, summary->there_already, summary->bad, used.write, seconds(),
      PeakMegabytes());
  return 0;
}

int RunReport(const ConnectionOptions& where, bool json) {
  auto opened = Opened::Open(where);
  if (!opened) return Fail("{}", opened.error());
  const auto account =
      ReadAccount(opened->connection->endpoint(), where.table_prefix, *opened->entities);
  if (!account) return Fail("{}", account.error().message);
  fmt::print("{}", json ? AccountJson(*account) + "\n" : AccountText(*account));
  return 0;
}

}  // namespace stator::systems::reconciler
