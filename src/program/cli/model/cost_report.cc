#include "cli/model/cost_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "cli/model/text_table.h"

namespace stator::cli {
namespace {

using model::Amount;
using model::ClaimResult;
using model::Cost;
using model::Model;
using model::PartCost;
using model::PatternCost;
using model::TableCost;

constexpr double kSecondsPerDay = 86400;

std::string AmountText(double typical, double max) {
  if (NumberText(typical) == NumberText(max)) return NumberText(typical);
  return NumberText(typical) + "/" + NumberText(max);
}

std::string HeadText(const Model& model, const Cost& cost) {
  return fmt::format(
      "Prices of {} from the list {}; a month of {:.4g} days; peak {:.4g} times the mean.\n",
      cost.prices->region, cost.list->name, cost.month_seconds / kSecondsPerDay, model.assume.peak);
}

std::string PatternsText(const Cost& cost) {
  TextTable table({"pattern", "runs/day", "RRU/run", "WRU/run", "RRU/day", "WRU/day", "peak RRU/s",
                   "peak WRU/s", "a month", "at most", ""},
                  1);
  for (const PatternCost& pattern : cost.patterns) {
    const model::Estimate& estimate = *pattern.estimate;
    const auto writes = [&](double Amount::* pick) { return model::WriteUnitsOf(estimate, pick); };
    table.Add({estimate.plan->pattern->name, NumberText(pattern.runs_per_second * kSecondsPerDay),
               AmountText(estimate.read_units.typical, estimate.read_units.max),
               AmountText(writes(&Amount::typical), writes(&Amount::max)),
               NumberText(pattern.reads_per_day), NumberText(pattern.writes_per_day),
               NumberText(pattern.peak_reads_per_second),
               NumberText(pattern.peak_writes_per_second), MoneyText(pattern.month_usd),
               MoneyText(pattern.month_usd_max),
               estimate.known ? "" : "unknown: " + estimate.missing});
  }
  return table.Text();
}

void AddPart(const TableCost& table, const PartCost& part, TextTable& out) {
  out.Add({table.table->id + (part.index == nullptr ? "" : "." + part.index->name),
           NumberText(part.items), NumberText(part.gigabytes), NumberText(part.reads_per_month),
           NumberText(part.writes_per_month), MoneyText(part.requests_usd),
           MoneyText(part.storage_usd), NumberText(part.provisioned_rcu),
           NumberText(part.provisioned_wcu), MoneyText(part.provisioned_usd),
           part.size_known ? "" : "volume unknown"});
}

std::string TablesText(const Cost& cost) {
  TextTable out({"table or index", "items", "GB", "RRU/month", "WRU/month", "on demand", "storage",
                 "RCU", "WCU", "provisioned", ""},
                1);
  for (const TableCost& table : cost.tables) {
    AddPart(table, table.base, out);
    for (const PartCost& part : table.indexes) AddPart(table, part, out);
  }
  return out.Text();
}

// Whether the figures of this model go by the price.
bool IsUsed(const Cost& cost, std::string_view price) {
  const bool rare = std::ranges::any_of(
      cost.tables, [](const TableCost& table) { return table.table->infrequent_access; });
  if (price.starts_with("ia_")) return rare;
  if (price == "pitr_gb") return cost.pitr_usd > 0;
  return price != "backup_gb";
}

std::string TotalsText(const Cost& cost) {
  std::string text = fmt::format("A month on demand   {}\n", MoneyText(cost.TotalUsd()));
  text += fmt::format("  requests          {}  ({} RRU, {} WRU)\n", MoneyText(cost.requests_usd),
                      NumberText(cost.reads_per_month), NumberText(cost.writes_per_month));
  text += fmt::format("  storage           {}  ({} GB, of which {:.4g} GB an account are free)\n",
                      MoneyText(cost.storage_usd), NumberText(cost.gigabytes),
                      cost.list->free_storage_gb);
  if (cost.pitr_usd > 0) text += fmt::format("  recovery          {}\n", MoneyText(cost.pitr_usd));
  if (cost.stream_changes > 0) {
    text += fmt::format(
        "  streams           {}  ({} changes, of which {:.4g} reads an account are free)\n",
        MoneyText(cost.streams_usd), NumberText(cost.stream_changes), cost.list->free_streams);
  }
  text += fmt::format("  TTL deletes       $0.0000  (free)\n");
  text += fmt::format(
      "A month provisioned {}  (requests only, sized for the peak; without the free {:.4g} RCU and "
      "{:.4g} WCU)\n",
      MoneyText(cost.provisioned_usd), cost.list->free_rcu, cost.list->free_wcu);
  text += fmt::format(
      "Provisioned is the cheaper one when more than {:.1f} % of its RCU and {:.1f} % of its WCU "
      "are in use on average.\n",
      cost.read_break_even * 100, cost.write_break_even * 100);
  std::string unconfirmed;
  for (const std::string& name : cost.prices->unconfirmed) {
    if (IsUsed(cost, name)) unconfirmed += " " + name;
  }
  if (!unconfirmed.empty()) text += "Not confirmed by a public source:" + unconfirmed + "\n";
  return text;
}

std::string ClaimsText(const std::vector<ClaimResult>& claims) {
  TextTable table({"says", "true value", "verdict", "by how much", "why"}, 1);
  for (const ClaimResult& result : claims) {
    if (!result.problem.empty()) {
      table.Add({result.claim->says, "?", "unclear", "", result.problem});
      continue;
    }
    table.Add({result.claim->says, NumberText(result.truth), result.holds ? "true" : "false",
               result.difference,
               result.holds ? "" : fmt::format("{} {}", result.rule, result.why)});
  }
  return table.Text();
}

}  // namespace

std::string CostText(const Model& model, const Cost& cost, const std::vector<ClaimResult>& claims) {
  std::string text = HeadText(model, cost);
  for (const std::string& part :
       {PatternsText(cost), TablesText(cost), TotalsText(cost), ClaimsText(claims)}) {
    if (!part.empty()) text += "\n" + part;
  }
  return text;
}

}  // namespace stator::cli
