#include "bench/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <expected>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "base/try.h"
#include "bench/client_loop.h"
#include "bench/session.h"

namespace stator::bench {
namespace {

using Quantile = std::pair<std::string_view, double>;
constexpr std::array<Quantile, 4> kQuantiles = {
    {{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p99.9", 0.999}}};

double Microseconds(std::uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1000; }

double OperationsPerSecond(const Tally& tally, const Histogram& latency) {
  if (tally.measured_seconds <= 0) return 0;
  return static_cast<double>(latency.count()) / tally.measured_seconds;
}

double PerAnswer(std::uint64_t total, const Tally& tally) {
  const std::uint64_t answers = tally.AllLatency().count();
  return answers == 0 ? 0 : static_cast<double>(total) / static_cast<double>(answers);
}

double CpuShare(const Tally& tally) {
  return tally.run_seconds > 0 ? tally.cpu_seconds / tally.run_seconds : 0;
}

std::string_view Name(KeyDistribution keys) {
  switch (keys) {
    case KeyDistribution::kUniform:
      return "uniform";
    case KeyDistribution::kZipfian:
      return "zipfian";
    case KeyDistribution::kLatest:
      return "latest";
  }
  return {};
}

void AppendRow(std::string& out, std::string_view name, const Tally& tally,
               const Histogram& latency) {
  fmt::format_to(std::back_inserter(out), "{:<24}{:>12.0f}", name,
                 OperationsPerSecond(tally, latency));
  for (const auto& [label, fraction] : kQuantiles) {
    fmt::format_to(std::back_inserter(out), "{:>10.1f}",
                   Microseconds(latency.QuantileNs(fraction)));
  }
  fmt::format_to(std::back_inserter(out), "{:>12.1f}\n", Microseconds(latency.max_ns()));
}

// A JSON string. The texts are names of our own and [A-Za-z0-9 ]; anything else stays harmless.
std::string Quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out.push_back('\\');
    out.push_back(static_cast<unsigned char>(c) < 0x20 ? ' ' : c);
  }
  return out + "\"";
}

std::string LatencyJson(const Tally& tally, const Histogram& latency) {
  std::string out =
      fmt::format(R"({{"count":{},"ops_per_second":{:.1f},"mean_us":{:.1f})", latency.count(),
                  OperationsPerSecond(tally, latency), latency.MeanNs() / 1000);
  for (const auto& [label, fraction] : kQuantiles) {
    fmt::format_to(std::back_inserter(out), R"(,"{}_us":{:.1f})", label,
                   Microseconds(latency.QuantileNs(fraction)));
  }
  fmt::format_to(std::back_inserter(out), R"(,"max_us":{:.1f}}})", Microseconds(latency.max_ns()));
  return out;
}

std::string PlanJson(const Plan& plan, const Options& options) {
  return fmt::format(
      R"("workload":{},"endpoint":{},"table":{},"connections":{},"threads":{},"rate":{},)"
      R"("items":{},"item_bytes":{},"attributes":{},"query_items":{},"partition_items":{},)"
      R"("keys":{},"seed":{},"signed":{})",
      Quoted(plan.workload->name), Quoted(options.endpoint), Quoted(plan.data.table_name),
      plan.connections, plan.threads, options.rate, plan.data.items, plan.data.shape.item_bytes,
      plan.data.shape.attributes, plan.data.query_items, plan.data.partition_items,
      Quoted(Name(plan.keys)), options.seed, plan.signer.has_value());
}

std::string HumanReport(const Plan& plan, const Options& options, const Tally& tally) {
  std::string out = fmt::format(
      "{}: {}, {} keys, {} connections, {}, {:.1f} "
      "s\n\n{:<24}{:>12}{:>10}{:>10}{:>10}{:>10}{:>12}\n",
      plan.workload->name, plan.workload->description, Name(plan.keys), plan.connections,
      options.rate > 0 ? fmt::format("{:.0f} requests/s", options.rate) : "closed loop",
      tally.measured_seconds, "latency in us", "ops/s", "p50", "p90", "p99", "p99.9", "max");
  int kinds = 0;
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    const Histogram& latency = tally.latencies[i];
    if (latency.count() == 0) continue;
    ++kinds;
    AppendRow(out, ReportName(static_cast<Operation>(i)), tally, latency);
  }
  if (kinds != 1) AppendRow(out, "all", tally, tally.AllLatency());
  fmt::format_to(
      std::back_inserter(out),
      "\n{:.0f} bytes per request, {:.0f} per answer ({:.0f} of them body); the client used "
      "{:.0f} % of a core\n",
      PerAnswer(tally.bytes_sent, tally), PerAnswer(tally.bytes_received, tally),
      PerAnswer(tally.body_bytes_received, tally), 100 * CpuShare(tally));
  for (const auto& [name, count] : tally.errors) {
    fmt::format_to(std::back_inserter(out), "error: {} x {}\n", count, name);
  }
  if (tally.unsent > 0) {
    fmt::format_to(std::back_inserter(out),
                   "{} requests were due but could not be sent: every connection was busy\n",
                   tally.unsent);
  }
  return out;
}

// One JSON object and a line feed. Latencies are in microseconds.
std::string JsonReport(const Plan& plan, const Options& options, const Tally& tally) {
  std::string operations;
  for (std::size_t i = 0; i < kOperationCount; ++i) {
    if (tally.latencies[i].count() == 0) continue;
    operations += fmt::format("{}{}:{}", operations.empty() ? "" : ",",
                              Quoted(ReportName(static_cast<Operation>(i))),
                              LatencyJson(tally, tally.latencies[i]));
  }
  std::string errors;
  for (const auto& [name, count] : tally.errors) {
    errors += fmt::format("{}{}:{}", errors.empty() ? "" : ",", Quoted(name), count);
  }
  return fmt::format(
      R"({{{},"seconds":{:.3f},"all":{},"operations":{{{}}},"errors":{{{}}},"error_count":{},)"
      R"("unsent":{},"service_p99_us":{:.1f},"bytes_sent":{},"bytes_received":{},"body_bytes_mean":{:.1f},)"
      R"("client_cpu_share":{:.3f}}})"
      "\n",
      PlanJson(plan, options), tally.measured_seconds, LatencyJson(tally, tally.AllLatency()),
      operations, errors, tally.ErrorCount(), tally.unsent,
      static_cast<double>(tally.service.QuantileNs(0.99)) / 1e3, tally.bytes_sent,
      tally.bytes_received, PerAnswer(tally.body_bytes_received, tally), CpuShare(tally));
}

constexpr int kExitOk = 0;
constexpr int kExitFailure = 1;

void Say(const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); }

// One line on a terminal that is overwritten as the run goes on.
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
  if (!*answered) Say("stator bench: no request was answered with success");
  return *answered ? kExitOk : kExitFailure;
}

}  // namespace stator::bench
