#include "stator/live.h"

#include <fmt/format.h>

#include <chrono>

#include "base/try.h"
#include "live/apply.h"
#include "live/audit.h"
#include "model/model.h"

namespace stator {
namespace {

TimeMs NowOf(const Clock* clock) {
  if (clock != nullptr) return clock->Now();
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

live::ApplyOptions OptionsOf(const ApplyModelOptions& options) {
  return {.steps = {.environment = options.environment,
                    .prune = options.prune,
                    .backfill = options.backfill},
          .table_prefix = options.table_prefix,
          .checkpoint_directory = options.checkpoint_directory,
          .segments = options.segments,
          .items_per_second = options.items_per_second,
          .dry_run = options.dry_run,
          .now = NowOf(nullptr),
          .stop = nullptr};
}

std::vector<std::string> FlawLines(const live::AuditReport& report) {
  std::vector<std::string> lines;
  for (const auto& [what, count] : report.flaws) {
    std::string line = fmt::format("{}: {}: {}, {} items", report.table_name,
                                   live::FlawName(what.first), what.second, count.items);
    if (!count.examples.empty()) {
      line +=
          fmt::format(", e.g. {} {}", count.examples.front().key, count.examples.front().detail);
    }
    lines.push_back(std::move(line));
  }
  for (const auto& [index, counts] : report.indexes) {
    if (counts.first == counts.second) continue;
    lines.push_back(fmt::format("{}: index {}: {} items carry its keys, {} entries",
                                report.table_name, index, counts.first, counts.second));
  }
  return lines;
}

}  // namespace

Result<ApplyModelReport> ApplyModel(Endpoint& endpoint, const Model& model,
                                    const ApplyModelOptions& options) {
  ApplyModelReport report;
  const live::ApplyObserver observer = {
      .begin = [&](const live::Step& step) { report.lines.push_back(step.text); },
      .end =
          [&](const live::StepOutcome& outcome) {
            if (!outcome.text.empty()) report.lines.back() += ": " + outcome.text;
          },
      .progress = options.progress};
  const live::ApplyOptions table_options = OptionsOf(options);
  for (const model::Table& table : model.values().tables) {
    ASSIGN_OR_RETURN(const live::TableOutcome outcome,
                     live::ApplyTable(endpoint, model.values(), table, table_options, observer));
    if (!outcome.complete) report.complete = false;
  }
  return report;
}

Result<AuditModelReport> AuditModel(Endpoint& endpoint, const Model& model,
                                    const AuditModelOptions& options) {
  AuditModelReport all;
  for (const model::Table& table : model.values().tables) {
    if (!table.partition) continue;
    ASSIGN_OR_RETURN(const live::AuditReport report,
                     live::AuditTable(endpoint, model.values(), table,
                                      {.table_name = options.table_prefix + table.name,
                                       .segments = options.segments,
                                       .examples = 1,
                                       .fix = options.fix,
                                       .now = NowOf(options.clock)},
                                      options.progress));
    all.items += report.items;
    all.mended += report.mended + report.sentinels_added;
    for (std::string& line : FlawLines(report)) all.flaws.push_back(std::move(line));
  }
  return all;
}

}  // namespace stator
