#include "bench/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <expected>
#include <fstream>
#include <string>

#include "base/try.h"
#include "bench/report.h"
#include "bench/session.h"

namespace stator::bench {
namespace {

constexpr int kExitOk = 0;
constexpr int kExitFailure = 1;

void Say(const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }

// One line on a terminal, written over and over.
class ProgressLine {
 public:
  ProgressLine(std::string what, std::uint64_t goal)
      : what_(std::move(what)),
        goal_(goal),
        is_shown_(isatty(STDERR_FILENO) == 1),
        begin_ns_(NowNs()),
        last_ns_(begin_ns_) {}
  ~ProgressLine() {
    if (is_shown_) std::fputs("\r\x1b[K", stderr);
  }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  void Show(std::uint64_t done, std::uint64_t errors) {
    if (!is_shown_) return;
    const std::uint64_t now_ns = NowNs();
    const double rate = static_cast<double>(done - last_done_) * 1e9 /
                        static_cast<double>(std::max<std::uint64_t>(now_ns - last_ns_, 1));
    last_done_ = done;
    last_ns_ = now_ns;
    const std::string goal = goal_ > 0 ? fmt::format(" of {}", goal_) : "";
    const std::string text =
        fmt::format("\r\x1b[K{}  {:.1f} s  {}{}  {:.0f}/s  {} errors", what_,
                    static_cast<double>(now_ns - begin_ns_) / 1e9, done, goal, rate, errors);
    std::fputs(text.c_str(), stderr);
  }

 private:
  const std::string what_;
  const std::uint64_t goal_;
  const bool is_shown_;
  const std::uint64_t begin_ns_;
  std::uint64_t last_ns_;
  std::uint64_t last_done_ = 0;
};

std::expected<void, std::string> Load(const Plan& plan, const Options& options) {
  const DataPlan& data = plan.data;
  Say(fmt::format("creating table {} at {}", data.table_name, options.endpoint));
  RETURN_IF_ERROR(CreateTable(plan));
  Say(fmt::format("loading {} items of {} bytes and {} attributes", data.items,
                  data.shape.item_bytes, data.shape.attributes));
  ProgressLine line("load", data.items);
  ASSIGN_OR_RETURN(const double seconds,
                   LoadItems(plan, options.seed, [&](std::uint64_t done, std::uint64_t errors) {
                     line.Show(done, errors);
                   }));
  line.Show(data.items, 0);
  Say(fmt::format("{}loaded in {:.1f} s, {:.0f} items/s",
                  isatty(STDERR_FILENO) == 1 ? "\r\x1b[K" : "", seconds,
                  static_cast<double>(data.items) / seconds));
  return {};
}

std::expected<void, std::string> Write(const std::string& file, const std::string& text) {
  if (file == "-") {
    std::fputs(text.c_str(), stdout);
    return {};
  }
  std::ofstream out(file);
  out << text;
  out.close();
  if (!out) return std::unexpected("cannot write " + file);
  return {};
}

std::expected<bool, std::string> Measure(const Plan& plan, const Options& options) {
  Tally tally;
  {
    ProgressLine line(options.workload, 0);
    tally = RunWorkload(plan, options,
                        [&](std::uint64_t done, std::uint64_t errors) { line.Show(done, errors); });
  }
  if (options.json_file != "-") std::fputs(HumanReport(plan, options, tally).c_str(), stdout);
  if (!options.json_file.empty()) {
    RETURN_IF_ERROR(Write(options.json_file, JsonReport(plan, options, tally)));
  }
  return tally.AllLatency().count() > 0;
}

std::expected<void, std::string> Delete(const Plan& plan) {
  Say("deleting table " + plan.data.table_name);
  return DeleteTable(plan);
}

std::expected<bool, std::string> Everything(const Options& options) {
  ASSIGN_OR_RETURN(const Plan plan, MakePlan(options));
  if (options.delete_only) {
    RETURN_IF_ERROR(Delete(plan));
    return true;
  }
  if (!options.skip_load) RETURN_IF_ERROR(Load(plan, options));
  if (options.load_only) return true;
  const std::expected<bool, std::string> answered = Measure(plan, options);
  if (!options.skip_load && !options.keep) {
    RETURN_IF_ERROR(Delete(plan));
  }
  return answered;
}

}  // namespace

int Run(const Options& options) {
  const std::expected<bool, std::string> answered = Everything(options);
  if (!answered) {
    Say("stator bench: " + answered.error());
    return kExitFailure;
  }
  if (!*answered) Say("stator bench: there was no good answer");
  return *answered ? kExitOk : kExitFailure;
}

}  // namespace stator::bench
