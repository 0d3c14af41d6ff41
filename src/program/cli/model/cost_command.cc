// stator cost: prices a model.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/commands.h"
#include "cli/model/measured_units.h"
#include "cli/model/model_command.h"
#include "model/claims/claims.h"
#include "model/cost/cost.h"
#include "model/plan/plan.h"
#include "value/json_writer.h"

namespace stator::cli {
namespace {

constexpr const char* kCostExamples = R"(
Examples:
  stator cost model.yaml                        by the region and the price list of the model
  stator cost model.yaml --region eu-west-1
  stator cost model.yaml --prices mine.yaml     prices of your own, in the form of the built-in lists
  stator cost model.yaml --json
  stator cost model.yaml --measured http://127.0.0.1:8000
                                                beside what a server with --count-units has counted

The figures follow from the rates, sizes and volumes of the model. Claims of the model are judged;
a false one does not fail this command (stator check reports it).
)";

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

std::string NamesText(const std::vector<const model::Pattern*>& patterns) {
  std::string text;
  for (const model::Pattern* pattern : patterns) text += (text.empty() ? "" : ", ") + pattern->name;
  return text;
}

// How the pattern is counted, where it is not simply by its own rate.
std::string CountingText(const model::PatternCharges& counted) {
  if (!counted.estimate.known) return "unknown: " + counted.estimate.missing;
  if (!counted.counted_in.empty()) return "counted in " + NamesText(counted.counted_in);
  if (!counted.counted_with.empty()) return "counted with " + NamesText(counted.counted_with);
  if (counted.cache_hits) {
    return fmt::format(
        "its cache answers {:.2g} % of {} reads a day, of {} different", 100 * *counted.cache_hits,
        NumberText(counted.calls_per_second * kSecondsPerDay), NumberText(counted.cached_keys));
  }
  return {};
}

std::string PatternsText(const Cost& cost) {
  TextTable table({"pattern", "runs/day", "RRU/run", "WRU/run", "RRU/day", "WRU/day", "peak RRU/s",
                   "peak WRU/s", "per month", "at most", ""},
                  1);
  for (const PatternCost& pattern : cost.patterns) {
    const model::Estimate& estimate = pattern.counted.estimate;
    const auto writes = [&](double Amount::* pick) { return model::WriteUnitsOf(estimate, pick); };
    table.Add({estimate.plan->pattern->name, NumberText(pattern.runs_per_second * kSecondsPerDay),
               AmountText(estimate.read_units.typical, estimate.read_units.max),
               AmountText(writes(&Amount::typical), writes(&Amount::max)),
               NumberText(pattern.reads_per_day), NumberText(pattern.writes_per_day),
               NumberText(pattern.peak_reads_per_second),
               NumberText(pattern.peak_writes_per_second), MoneyText(pattern.month_usd),
               MoneyText(pattern.month_usd_max), CountingText(pattern.counted)});
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
  text += fmt::format("  storage           {}  ({} GB, of which {:.4g} GB per account are free)\n",
                      MoneyText(cost.storage_usd), NumberText(cost.gigabytes),
                      cost.list->free_storage_gb);
  if (cost.pitr_usd > 0) text += fmt::format("  recovery          {}\n", MoneyText(cost.pitr_usd));
  if (cost.stream_changes > 0) {
    text += fmt::format(
        "  streams           {}  ({} changes, of which {:.4g} reads per account are free)\n",
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

void PutNumbers(JsonWriter& json,
                std::initializer_list<std::pair<std::string_view, double>> numbers) {
  for (const auto& [key, value] : numbers) json.Key(key).Raw(fmt::format("{}", value));
}

void PutNames(JsonWriter& json, std::string_view key,
              const std::vector<const model::Pattern*>& patterns) {
  if (patterns.empty()) return;
  json.Key(key).BeginArray();
  for (const model::Pattern* pattern : patterns) json.String(pattern->name);
  json.EndArray();
}

void PutPattern(JsonWriter& json, const PatternCost& pattern) {
  const model::Estimate& estimate = pattern.counted.estimate;
  json.BeginObject();
  json.Key("pattern").String(estimate.plan->pattern->name);
  json.Key("known").Bool(estimate.known);
  if (!estimate.known) json.Key("missing").String(estimate.missing);
  PutNames(json, "counted_in", pattern.counted.counted_in);
  PutNames(json, "counted_with", pattern.counted.counted_with);
  if (pattern.counted.cache_hits) {
    PutNumbers(json, {{"calls_per_day", pattern.counted.calls_per_second * kSecondsPerDay},
                      {"cache_hits", *pattern.counted.cache_hits}});
  }
  PutNumbers(json, {{"runs_per_day", pattern.runs_per_second * kSecondsPerDay},
                    {"rru", estimate.read_units.typical},
                    {"rru_max", estimate.read_units.max},
                    {"wru", model::WriteUnitsOf(estimate, &Amount::typical)},
                    {"wru_max", model::WriteUnitsOf(estimate, &Amount::max)},
                    {"rru_per_day", pattern.reads_per_day},
                    {"wru_per_day", pattern.writes_per_day},
                    {"peak_rru_per_s", pattern.peak_reads_per_second},
                    {"peak_wru_per_s", pattern.peak_writes_per_second},
                    {"usd_month", pattern.month_usd},
                    {"usd_month_max", pattern.month_usd_max}});
  json.EndObject();
}

void PutPart(JsonWriter& json, const model::Table& table, const PartCost& part) {
  json.BeginObject();
  json.Key("table").String(table.id);
  if (part.index != nullptr) json.Key("index").String(part.index->name);
  PutNumbers(json, {{"items", part.items}, {"gb", part.gigabytes}});
  json.Key("size_known").Bool(part.size_known);
  PutNumbers(json, {{"rru_month", part.reads_per_month},
                    {"wru_month", part.writes_per_month},
                    {"usd_requests", part.requests_usd},
                    {"usd_storage", part.storage_usd},
                    {"rcu", part.provisioned_rcu},
                    {"wcu", part.provisioned_wcu},
                    {"usd_provisioned", part.provisioned_usd}});
  json.EndObject();
}

void PutTotals(JsonWriter& json, const Cost& cost) {
  json.Key("month").BeginObject();
  PutNumbers(json, {{"usd", cost.TotalUsd()},
                    {"usd_requests", cost.requests_usd},
                    {"usd_storage", cost.storage_usd},
                    {"usd_recovery", cost.pitr_usd},
                    {"usd_streams", cost.streams_usd},
                    {"usd_provisioned", cost.provisioned_usd},
                    {"rru", cost.reads_per_month},
                    {"wru", cost.writes_per_month},
                    {"gb", cost.gigabytes},
                    {"read_break_even", cost.read_break_even},
                    {"write_break_even", cost.write_break_even}});
  json.EndObject();
}

void PutClaim(JsonWriter& json, const ClaimResult& result) {
  json.BeginObject();
  json.Key("says").String(result.claim->says);
  json.Key("check").String(result.claim->check);
  if (!result.problem.empty()) {
    json.Key("problem").String(result.problem);
  } else {
    PutNumbers(json, {{"true_value", result.truth}});
    json.Key("holds").Bool(result.holds);
    if (!result.holds) {
      json.Key("rule").String(result.rule);
      json.Key("difference").String(result.difference);
      json.Key("why").String(result.why);
    }
  }
  json.EndObject();
}

std::string CostText(const Model& model, const Cost& cost, const std::vector<ClaimResult>& claims) {
  std::string text = HeadText(model, cost);
  for (const std::string& part :
       {PatternsText(cost), TablesText(cost), TotalsText(cost), ClaimsText(claims)}) {
    if (!part.empty()) text += "\n" + part;
  }
  return text;
}

std::string CostJson(const model::Model& model, const Cost& cost,
                     const std::vector<ClaimResult>& claims) {
  std::string text;
  JsonWriter json(text);
  json.BeginObject();
  json.Key("model").String(model.file);
  json.Key("region").String(cost.prices->region);
  json.Key("price_list").String(cost.list->name);
  json.Key("patterns").BeginArray();
  for (const PatternCost& pattern : cost.patterns) PutPattern(json, pattern);
  json.EndArray();
  json.Key("parts").BeginArray();
  for (const model::TableCost& table : cost.tables) {
    PutPart(json, *table.table, table.base);
    for (const PartCost& part : table.indexes) PutPart(json, *table.table, part);
  }
  json.EndArray();
  PutTotals(json, cost);
  json.Key("claims").BeginArray();
  for (const ClaimResult& result : claims) PutClaim(json, result);
  json.EndArray();
  json.EndObject();
  return text + "\n";
}

struct CostCommand {
  std::string file;
  std::string region;
  std::string prices;
  std::string measured;
  bool json = false;
};

// The list to go by, or nothing once the problem has been printed.
std::optional<model::PriceList> ListOrComplain(const CostCommand& command,
                                               const model::Model& model) {
  if (!command.prices.empty()) {
    auto list = model::LoadPriceList(command.prices);
    if (list) return *std::move(list);
    Complain(list.error());
    return std::nullopt;
  }
  const model::PriceList* list = model::FindPriceList(model.assume.price_list);
  if (list != nullptr) return *list;
  std::string names;
  for (const model::PriceList& one : model::BuiltInPriceLists()) names += " " + one.name;
  Complain("there is no price list " + model.assume.price_list + "; there are" + names +
           ", or give one with --prices");
  return std::nullopt;
}

int RunCost(const CostCommand& command) {
  const std::optional<model::Model> model = LoadModelOrComplain(command.file);
  if (!model) return kExitFailure;
  const std::optional<model::PriceList> list = ListOrComplain(command, *model);
  if (!list) return kExitFailure;
  const std::string& region = command.region.empty() ? model->assume.region : command.region;
  const model::Prices* prices = list->Find(region);
  if (prices == nullptr) {
    std::string names;
    for (const model::Prices& one : list->regions) names += " " + one.region;
    Complain("the price list " + list->name + " has no region " + region + "; it has" + names);
    return kExitFailure;
  }
  const std::vector<model::Plan> plans = model::ResolvePatterns(*model);
  const std::vector<model::Estimate> estimates = model::EstimatePlans(*model, plans);
  const model::Cost cost = model::ComputeCost(*model, estimates, *list, *prices);
  const auto claims = model::EvaluateClaims(*model, estimates, *list, *prices);
  if (!command.measured.empty()) {
    const auto units = ReadMeasuredUnits(command.measured);
    if (!units) {
      Complain(units.error());
      return kExitFailure;
    }
    const std::string text = command.json ? MeasuredJson(cost, *units) : MeasuredText(cost, *units);
    std::fputs(text.c_str(), stdout);
    return kExitOk;
  }
  const std::string text =
      command.json ? CostJson(*model, cost, claims) : CostText(*model, cost, claims);
  std::fputs(text.c_str(), stdout);
  return kExitOk;
}

}  // namespace

void AddCostCommand(Syntax& syntax) {
  const auto command = std::make_shared<CostCommand>();
  Subcommand cost = syntax.Add("cost", "Price a model, and judge its claims", kCostExamples);
  cost.Add("MODEL", command->file, "The model file").Required().Type("FILE");
  cost.Add("--region", command->region, "Prices of this region (default: the model's)")
      .Type("NAME");
  cost.Add("--prices", command->prices, "A price list to use instead of the built-in ones")
      .Type("FILE");
  cost.Add("--measured", command->measured,
           "Compare with what a Stator server that runs with --count-units has counted")
      .Type("URL");
  cost.Flag("--json", command->json, "Print JSON");
  cost.Runs([command] { return RunCost(*command); });
}

}  // namespace stator::cli
