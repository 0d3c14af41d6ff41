#include <fmt/format.h>

#include "cli/model/cost_report.h"
#include "value/json_writer.h"

namespace stator::cli {
namespace {

using model::Amount;
using model::ClaimResult;
using model::Cost;
using model::PartCost;
using model::PatternCost;

void Put(JsonWriter& json, std::string_view key, double value) {
  json.Key(key).Raw(fmt::format("{}", value));
}

void PutPattern(JsonWriter& json, const PatternCost& pattern) {
  const model::Estimate& estimate = *pattern.estimate;
  json.BeginObject();
  json.Key("pattern").String(estimate.plan->pattern->name);
  json.Key("known").Bool(estimate.known);
  if (!estimate.known) json.Key("missing").String(estimate.missing);
  Put(json, "runs_per_day", pattern.runs_per_second * 86400);
  Put(json, "rru", estimate.read_units.typical);
  Put(json, "rru_max", estimate.read_units.max);
  Put(json, "wru", model::WriteUnitsOf(estimate, &Amount::typical));
  Put(json, "wru_max", model::WriteUnitsOf(estimate, &Amount::max));
  Put(json, "rru_per_day", pattern.reads_per_day);
  Put(json, "wru_per_day", pattern.writes_per_day);
  Put(json, "peak_rru_per_s", pattern.peak_reads_per_second);
  Put(json, "peak_wru_per_s", pattern.peak_writes_per_second);
  Put(json, "usd_month", pattern.month_usd);
  Put(json, "usd_month_max", pattern.month_usd_max);
  json.EndObject();
}

void PutPart(JsonWriter& json, const model::Table& table, const PartCost& part) {
  json.BeginObject();
  json.Key("table").String(table.id);
  if (part.index != nullptr) json.Key("index").String(part.index->name);
  Put(json, "items", part.items);
  Put(json, "gb", part.gigabytes);
  json.Key("size_known").Bool(part.size_known);
  Put(json, "rru_month", part.reads_per_month);
  Put(json, "wru_month", part.writes_per_month);
  Put(json, "usd_requests", part.requests_usd);
  Put(json, "usd_storage", part.storage_usd);
  Put(json, "rcu", part.provisioned_rcu);
  Put(json, "wcu", part.provisioned_wcu);
  Put(json, "usd_provisioned", part.provisioned_usd);
  json.EndObject();
}

void PutTotals(JsonWriter& json, const Cost& cost) {
  json.Key("month").BeginObject();
  Put(json, "usd", cost.TotalUsd());
  Put(json, "usd_requests", cost.requests_usd);
  Put(json, "usd_storage", cost.storage_usd);
  Put(json, "usd_recovery", cost.pitr_usd);
  Put(json, "usd_streams", cost.streams_usd);
  Put(json, "usd_provisioned", cost.provisioned_usd);
  Put(json, "rru", cost.reads_per_month);
  Put(json, "wru", cost.writes_per_month);
  Put(json, "gb", cost.gigabytes);
  Put(json, "read_break_even", cost.read_break_even);
  Put(json, "write_break_even", cost.write_break_even);
  json.EndObject();
}

void PutClaim(JsonWriter& json, const ClaimResult& result) {
  json.BeginObject();
  json.Key("says").String(result.claim->says);
  json.Key("check").String(result.claim->check);
  if (!result.problem.empty()) {
    json.Key("problem").String(result.problem);
  } else {
    Put(json, "true_value", result.truth);
    json.Key("holds").Bool(result.holds);
    if (!result.holds) {
      json.Key("rule").String(result.rule);
      json.Key("difference").String(result.difference);
      json.Key("why").String(result.why);
    }
  }
  json.EndObject();
}

}  // namespace

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

}  // namespace stator::cli
