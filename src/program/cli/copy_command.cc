// stator copy: moves a database from one store to another.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "base/log.h"
#include "cli/commands.h"
#include "cli/progress_line.h"
#include "cli/stop_signals.h"
#include "cli/syntax.h"
#include "database/copy/copy.h"
#include "value/json_writer.h"

namespace stator::cli {
namespace {

constexpr const char* kCopyExamples = R"(
Examples:
  stator copy --from ./stator-data --to postgres://db1,db2/stator
  stator copy --from postgres://db1,db2/stator --to ./stator-data
  stator copy --from ./stator-data --to postgres://db1/stator --follow
                                     while a server is running on ./stator-data: ends when that stops
  stator copy --from ./stator-data --to ./copy --verify-only

Copies all tables, indexes, streams, settings, history and backups into an empty directory or database,
and compares every row afterwards. A copy that was interrupted goes on when the same command is run
again; until it is whole, no server opens the target. With --follow, Ctrl-C ends the copy in good order,
as the source is then; a second Ctrl-C interrupts it.
Exits with 0 if the copy is whole and equal to its source.
)";

struct CopyArguments {
  CopyOptions copy;
  std::optional<double> until_quiet_seconds;
  bool verify_only = false;
  bool json = false;
};

std::string BytesText(std::uint64_t bytes) {
  constexpr double kMega = 1e6;
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
  if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB", static_cast<double>(bytes) / kMega);
  return fmt::format("{:.2f} GB", static_cast<double>(bytes) / 1e9);
}

// Tells how far the copy is: on a terminal a line that is rewritten, elsewhere a line now and then, for
// scripts a JSON object a line.
class CopyTeller {
 public:
  explicit CopyTeller(bool json) : json_(json), is_terminal_(isatty(STDERR_FILENO) != 0) {}

  void Tell(const CopyProgress& progress) {
    const Time now = std::chrono::steady_clock::now();
    if (doing_ != progress.doing) {
      doing_ = progress.doing;
      began_ = now;
      first_ = progress;
    }
    const std::chrono::duration<double> passed = now - began_;
    const double seconds = std::max(passed.count(), 0.001);
    const double rate =
        static_cast<double>(progress.rows - std::min(first_.rows, progress.rows)) / seconds;
    std::optional<double> left;
    const double first_part = first_.part.value_or(0);
    if (progress.part && *progress.part > first_part) {
      left = seconds * (1 - *progress.part) / (*progress.part - first_part);
    }
    if (json_) {
      if (now - told_ >= std::chrono::seconds(1)) TellJson(progress, rate, left);
      return;
    }
    if (!is_terminal_ && now - told_ < std::chrono::seconds(5)) return;
    std::string text = fmt::format("{}: {} rows, {}, {:.0f} rows/s", progress.doing, progress.rows,
                                   BytesText(progress.bytes), rate);
    if (left) text += fmt::format(", {:.0f} s left", *left);
    if (progress.behind) text += fmt::format(", {} rows behind", *progress.behind);
    if (is_terminal_) {
      Progress shown{.text = std::move(text)};
      if (progress.part) {
        shown.done = static_cast<std::int64_t>(*progress.part * 1000);
        shown.total = 1000;
      }
      line_.Show(shown);
    } else {
      std::fprintf(stderr, "%s\n", text.c_str());
    }
    told_ = now;
  }

 private:
  using Time = std::chrono::steady_clock::time_point;

  void TellJson(const CopyProgress& progress, double rate, const std::optional<double>& left) {
    std::string json;
    JsonWriter out(json);
    out.BeginObject();
    out.Key("event").String("progress");
    out.Key("doing").String(progress.doing);
    out.Key("rows").Integer(static_cast<std::int64_t>(progress.rows));
    out.Key("bytes").Integer(static_cast<std::int64_t>(progress.bytes));
    out.Key("rows_per_second").Integer(static_cast<std::int64_t>(rate));
    if (progress.part) out.Key("part").Raw(fmt::format("{:.4f}", *progress.part));
    if (left) out.Key("seconds_left").Raw(fmt::format("{:.1f}", *left));
    if (progress.behind)
      out.Key("rows_behind").Integer(static_cast<std::int64_t>(*progress.behind));
    out.EndObject();
    std::puts(json.c_str());
    std::fflush(stdout);
    told_ = std::chrono::steady_clock::now();
  }

  const bool json_;
  const bool is_terminal_;
  ProgressLine line_;
  std::string doing_;
  CopyProgress first_;
  Time began_;
  Time told_ = std::chrono::steady_clock::now();
};

void WriteSide(JsonWriter& out, std::string_view key, const ComparedSpace::Side& side) {
  out.Key(key).BeginObject();
  out.Key("rows").Integer(static_cast<std::int64_t>(side.rows));
  out.Key("bytes").Integer(static_cast<std::int64_t>(side.bytes));
  out.Key("checksum").String(side.checksum);
  out.EndObject();
}

void PrintJson(const CopyReport& report) {
  std::string json;
  JsonWriter out(json);
  out.BeginObject();
  out.Key("event").String("done");
  out.Key("equal").Bool(report.differences.empty());
  out.Key("resumed").Bool(report.was_resumed);
  out.Key("rows").Integer(static_cast<std::int64_t>(report.rows));
  out.Key("bytes").Integer(static_cast<std::int64_t>(report.bytes));
  out.Key("changes").Integer(static_cast<std::int64_t>(report.changes));
  out.Key("backups").Integer(static_cast<std::int64_t>(report.backups));
  out.Key("compared_rows").Integer(static_cast<std::int64_t>(report.compared_rows));
  out.Key("source_is_still").Bool(report.source_is_still);
  if (report.seconds_since_stop) {
    out.Key("seconds_since_stop").Raw(fmt::format("{:.3f}", *report.seconds_since_stop));
  }
  out.Key("spaces").BeginArray();
  for (const ComparedSpace& space : report.spaces) {
    out.BeginObject();
    out.Key("name").String(space.name);
    out.Key("equal").Bool(space.source == space.target);
    WriteSide(out, "source", space.source);
    WriteSide(out, "target", space.target);
    out.EndObject();
  }
  out.EndArray();
  out.Key("differences").BeginArray();
  for (const std::string& text : report.differences) out.String(text);
  out.EndArray().EndObject();
  std::puts(json.c_str());
}

void PrintText(const CopyArguments& arguments, const CopyReport& report) {
  std::size_t width = 0;
  for (const ComparedSpace& space : report.spaces) width = std::max(width, space.name.size());
  for (const ComparedSpace& space : report.spaces) {
    const bool is_same = space.source == space.target;
    fmt::print("{:<{}} {:>10} rows {:>10}  {}{}\n", space.name, width, space.source.rows,
               BytesText(space.source.bytes), space.source.checksum,
               is_same ? "  equal"
                       : fmt::format("  DIFFERS: {} rows {} in the target", space.target.rows,
                                     space.target.checksum));
  }
  for (const std::string& text : report.differences) fmt::print("difference: {}\n", text);
  if (arguments.verify_only) {
    fmt::print("{}: {} rows compared\n", report.differences.empty() ? "equal" : "not equal",
               report.compared_rows);
    return;
  }
  fmt::print("all copied, 0 rows behind: {} rows written ({}), {} rows compared, {} backups\n",
             report.rows, BytesText(report.bytes), report.compared_rows, report.backups);
  if (arguments.copy.follow && report.changes > 0) {
    fmt::print("{} changes were followed\n", report.changes);
  }
  if (report.seconds_since_stop) {
    fmt::print("{:.1f} s since the source stopped; start the new server\n",
               *report.seconds_since_stop);
  } else if (arguments.copy.follow && !report.source_is_still) {
    fmt::print(
        "the source may still be in use: what is written to it from now on is not in the copy\n");
  }
}

int CopyOrCompare(const CopyArguments& arguments) {
  ConfigureLog(LogLevel::kError, LogFormat::kText);
  CopyOptions options = arguments.copy;
  if (arguments.until_quiet_seconds) {
    options.until_quiet =
        std::chrono::milliseconds(static_cast<std::int64_t>(*arguments.until_quiet_seconds * 1000));
  }
  // Lives to the end of the process: a thread waits for signals until then.
  static std::atomic<bool> stop = false;
  options.stop = &stop;
  if (options.follow) {
    auto* const signals = new StopSignals();
    std::thread([signals] {
      signals->WaitForFirst();
      stop = true;
    }).detach();
  }
  const auto report = [&] {
    CopyTeller teller(arguments.json);
    const auto tell = [&](const CopyProgress& progress) { teller.Tell(progress); };
    return arguments.verify_only ? CompareDatabases(options, tell) : CopyDatabase(options, tell);
  }();
  if (!report) {
    std::fprintf(stderr, "stator: %s\n", report.error().c_str());
    return kExitFailure;
  }
  arguments.json ? PrintJson(*report) : PrintText(arguments, *report);
  return report->differences.empty() ? kExitOk : kExitFailure;
}

}  // namespace

void AddCopyCommand(Syntax& syntax) {
  const auto arguments = std::make_shared<CopyArguments>();
  Subcommand copy = syntax.Add("copy", "Copy a whole database to another store", kCopyExamples);
  copy.Add("--from", arguments->copy.from, "A data directory, or a PostgreSQL database")
      .Required()
      .Type("DIR|URL");
  copy.Add("--to", arguments->copy.to, "An empty or new one, or an unfinished copy")
      .Required()
      .Type("DIR|URL");
  Option follow = copy.Flag("--follow", arguments->copy.follow,
                            "Keep copying changes until the source's server stops, or Ctrl-C");
  copy.Add("--until-quiet", arguments->until_quiet_seconds,
           "With --follow: until nothing has changed for so long")
      .Type("SECONDS")
      .Needs(follow);
  copy.Flag("--verify-only", arguments->verify_only, "Compare, and write nothing").Excludes(follow);
  copy.Flag("--json", arguments->json, "Print progress and outcome as JSON, an object a line");
  copy.Runs([arguments] { return CopyOrCompare(*arguments); });
}

}  // namespace stator::cli
