#include "proof/proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/try.h"
#include "proof/proof_parts.h"
#include "proof/tables.h"

namespace stator::proof {
namespace {

constexpr double kTolerance = 1e-6;

void CompareOne(std::string_view what, double predicted, double measured, std::string& text) {
  if (std::abs(predicted - measured) <= kTolerance * std::max(1.0, std::abs(predicted))) return;
  text += fmt::format("{}{} predicted {:.6g}, measured {:.6g}", text.empty() ? "" : "; ", what,
                      predicted, measured);
}

double UnitsOf(const Measure& measure, const std::string& index) {
  const auto it =
      std::ranges::find(measure.index_write_units, index, &std::pair<std::string, double>::first);
  return it == measure.index_write_units.end() ? 0 : it->second;
}

}  // namespace

std::string Compare(const Measure& predicted, const Measure& measured) {
  std::string text;
  CompareOne("items read", predicted.items_read, measured.items_read, text);
  CompareOne("items returned", predicted.items_returned, measured.items_returned, text);
  CompareOne("pages", predicted.pages, measured.pages, text);
  // Each page is rounded up by itself, and where a page of a Scan ends depends on the order of the
  // keys' hashes, which is another one in every database.
  const double slack = std::max(0.0, measured.pages - 1);
  if (std::abs(predicted.read_units - measured.read_units) > slack) {
    CompareOne("RRU", predicted.read_units, measured.read_units, text);
  }
  CompareOne("WRU", predicted.write_units, measured.write_units, text);
  for (const auto& [index, units] : predicted.index_write_units) {
    CompareOne("WRU of " + index, units, UnitsOf(measured, index), text);
  }
  for (const auto& [index, units] : measured.index_write_units) {
    const bool known = std::ranges::find(predicted.index_write_units, index,
                                         &std::pair<std::string, double>::first) !=
                       predicted.index_write_units.end();
    if (!known) CompareOne("WRU of " + index, 0, units, text);
  }
  return text;
}

Result<std::unique_ptr<Database>> OpenFor(const model::Model& model) {
  ASSIGN_OR_RETURN(std::unique_ptr<Database> database, Database::Open({.count_units = true}));
  for (const model::Table& table : model.tables) {
    if (!table.partition) continue;
    RETURN_IF_ERROR(database->CreateTable(TableRequest(table)));
  }
  return database;
}

std::vector<Proof> ProvePatterns(const model::Model& model) {
  std::vector<Proof> proofs;
  for (const model::Pattern& pattern : model.patterns) {
    Proof& proof = proofs.emplace_back();
    proof.pattern = &pattern;
    const model::Plan plan = model::ResolvePattern(model, pattern);
    proof.operation = model::OperationName(plan.operation);
    if (!plan.resolved()) {
      proof.note = plan.obstacle;
      continue;
    }
    model::Model copy = model;
    if (pattern.kind == model::PatternKind::kWrite ||
        pattern.kind == model::PatternKind::kTransaction) {
      ProveWrite(copy, pattern.name, proof);
    } else {
      ProveRead(copy, pattern.name, proof);
    }
    if (proof.ran && proof.difference.empty()) {
      proof.difference = Compare(proof.predicted, proof.measured);
    }
  }
  return proofs;
}

}  // namespace stator::proof
