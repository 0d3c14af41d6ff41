// The public face of the live layer.
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

live::ProgressCallback Shown(const LiveProgressCallback& shown) {
  if (!shown) return {};
  return [shown](const live::WorkProgress& progress) {
    shown({.what = progress.what,
           .read = progress.read,
           .changed = progress.changed,
           .total = progress.total});
  };
}

live::ApplyOptions OptionsOf(const ApplyModelOptions& options) {
  return {.steps = {.environment = options.environment,
                    .prune = options.prune,
                    .backfill = options.backfill},
          .table_prefix = options.table_prefix,
          .checkpoint_directory = options.checkpoint_directory,
          .segments = options.segments,
          .items_per_second = options.items_per_second,
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
  const live::ApplyOptions how = OptionsOf(options);
  ApplyModelReport report;
  for (const model::Table& table : model.values().tables) {
    if (!table.partition) {
      return std::unexpected(
          Error::Validation(fmt::format("table `{}` has no key in the model", table.id)));
    }
    ASSIGN_OR_RETURN(const auto state,
                     live::ReadTableState(endpoint, how.table_prefix + table.name));
    for (const live::Step& step : live::PlanSteps(model.values(), table, state, how.steps)) {
      std::string& line = report.lines.emplace_back(step.text);
      if (step.kind == live::StepKind::kStuck) report.complete = false;
      if (options.dry_run || step.kind == live::StepKind::kStuck) continue;
      ASSIGN_OR_RETURN(
          const live::StepOutcome outcome,
          live::CarryOutStep(endpoint, model.values(), step, how, Shown(options.progress)));
      if (!outcome.text.empty()) line += ": " + outcome.text;
      if (outcome.failed) report.complete = false;
    }
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
                                      Shown(options.progress)));
    all.items += report.items;
    all.mended += report.mended;
    for (std::string& line : FlawLines(report)) all.flaws.push_back(std::move(line));
  }
  return all;
}

}  // namespace stator
