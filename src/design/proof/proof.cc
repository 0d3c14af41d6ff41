#include "proof/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "entity/tables.h"
#include "proof/proof_parts.h"

namespace stator::proof {
namespace {

constexpr double kTolerance = 1e-6;
constexpr std::string_view kTablePrefix = "proof.";

void CompareOne(std::string_view what, double predicted, double measured, std::string& text) {
  if (std::abs(predicted - measured) <= kTolerance * std::max(1.0, std::abs(predicted))) return;
  text += fmt::format("{}{} predicted {:.6g}, measured {:.6g}", text.empty() ? "" : "; ", what,
                      predicted, measured);
}

std::string Compare(const Proof& proof) {
  const Measure& predicted = proof.predicted;
  const Measure& measured = proof.measured;
  std::string text;
  CompareOne("items read", predicted.items_read, measured.items_read, text);
  CompareOne("items returned", predicted.items_returned, measured.items_returned, text);
  CompareOne("pages", predicted.pages, measured.pages, text);
  if (std::abs(predicted.read_units - measured.read_units) > proof.read_slack) {
    CompareOne("RRU", predicted.read_units, measured.read_units, text);
  }
  CompareOne("WRU", predicted.write_units, measured.write_units, text);
  for (const auto& [index, units] : predicted.index_write_units) {
    CompareOne("WRU of " + index, units, measured.IndexUnits(index), text);
  }
  for (const auto& [index, units] : measured.index_write_units) {
    const bool known = std::ranges::find(predicted.index_write_units, index,
                                         &std::pair<std::string, double>::first) !=
                       predicted.index_write_units.end();
    if (!known) CompareOne("WRU of " + index, 0, units, text);
  }
  return text;
}

// Only the settings that affect what a request reads and consumes: no capacity that could run out.
CreateTableRequest TableRequest(const model::Table& table) {
  model::Table bare = table;
  bare.provisioned.reset();
  bare.stream.clear();
  return entity::MakeCreateTable(bare, NameOf(table));
}

}  // namespace

double Measure::IndexUnits(std::string_view index) const {
  const auto it =
      std::ranges::find(index_write_units, index, &std::pair<std::string, double>::first);
  return it == index_write_units.end() ? 0 : it->second;
}

void Measure::AddIndexUnits(std::string_view index, double units) {
  const auto it =
      std::ranges::find(index_write_units, index, &std::pair<std::string, double>::first);
  if (it != index_write_units.end()) {
    it->second += units;
  } else {
    index_write_units.emplace_back(index, units);
  }
}

std::string NameOf(const model::Table& table) { return std::string(kTablePrefix) + table.id; }

Meter::Meter(const Database& database) : database_(database), before_(Read()) {}

UnitsByPlace Meter::Read() const {
  UnitsByPlace units;
  for (const Database::ConsumedUnits& place : database_.GetStats().consumed_units) {
    units[{place.table.substr(kTablePrefix.size()), place.index}] = {place.reads, place.writes};
  }
  return units;
}

void Meter::AddTo(UnitsByPlace& units, double weight) const {
  for (const auto& [place, now] : Read()) {
    const auto it = before_.find(place);
    const Units before = it == before_.end() ? Units{} : it->second;
    units[place].reads += weight * (now.reads - before.reads);
    units[place].writes += weight * (now.writes - before.writes);
  }
}

Result<std::unique_ptr<Database>> OpenFor(const model::Model& model) {
  ASSIGN_OR_RETURN(std::unique_ptr<Database> database, Database::Open({.count_units = true}));
  for (const model::Table& table : model.tables) {
    if (!table.partition) continue;
    RETURN_IF_ERROR(database->CreateTable(TableRequest(table)));
  }
  return database;
}

Proof ProvePattern(const model::Model& model, const model::Pattern& pattern, double max_items) {
  Proof proof;
  proof.pattern = &pattern;
  const model::Plan plan = model::ResolvePattern(model, pattern);
  proof.operation = model::OperationName(plan.operation);
  if (!plan.resolved()) {
    proof.note = plan.obstacle;
    return proof;
  }
  model::Model copy = model;
  if (pattern.kind == model::PatternKind::kWrite ||
      pattern.kind == model::PatternKind::kTransaction) {
    ProveWrite(copy, pattern.name, proof);
  } else {
    ProveRead(copy, pattern.name, max_items, proof);
  }
  if (proof.ran && proof.difference.empty()) proof.difference = Compare(proof);
  return proof;
}

std::vector<Proof> ProvePatterns(const model::Model& model, double max_items) {
  std::vector<Proof> proofs;
  proofs.reserve(model.patterns.size());
  for (const model::Pattern& pattern : model.patterns) {
    proofs.push_back(ProvePattern(model, pattern, max_items));
  }
  return proofs;
}

}  // namespace stator::proof
