#include "stator/design.h"

#include <utility>

#include "chart/chart.h"
#include "chart/projection_choice.h"
#include "model/plan/plan.h"
#include "rules/rules.h"

namespace stator {
namespace {

std::string ClassName(model::PatternClass pattern_class) {
  switch (pattern_class) {
    case model::PatternClass::kHot:
      return "hot";
    case model::PatternClass::kOps:
      return "ops";
    case model::PatternClass::kAdmin:
      break;
  }
  return "admin";
}

PatternProof ProofOf(const model::Plan& plan, const model::Estimate& estimate) {
  const model::Pattern& pattern = *plan.pattern;
  PatternProof proof;
  proof.pattern = pattern.name;
  proof.entities = model::EntityWords(plan);
  if (plan.resolved()) proof.operation = model::OperationName(plan.operation);
  if (plan.table != nullptr) proof.table = plan.table->id;
  if (plan.index != nullptr) proof.index = plan.index->name;
  proof.key = model::KeyWords(plan);
  proof.text = plan.resolved() ? model::PlanText(plan) : plan.obstacle;
  proof.pattern_class = ClassName(pattern.pattern_class);
  proof.reason = pattern.reason;
  proof.is_read = model::IsRead(plan);
  proof.is_strong = pattern.read.strong;
  proof.by_primary_key = plan.resolved() && plan.satisfied_by_primary_key;
  if (pattern.rate) proof.per_day = pattern.rate->PerDay();
  proof.read_units = estimate.read_units.typical;
  proof.write_units = estimate.TotalWriteUnits();
  return proof;
}

std::vector<IndexProjectionProof> ProjectionsOf(const model::Model& model,
                                                const std::vector<model::Plan>& plans) {
  std::vector<IndexProjectionProof> proofs;
  for (const model::Table& table : model.tables) {
    for (const model::Index& index : table.indexes) {
      const model::ProjectionChoice choice = model::ChooseProjection(model, plans, table, index);
      proofs.push_back({.table = table.id,
                        .index = index.name,
                        .projection = model::ProjectionText(index.projection),
                        .asked = choice.used ? model::ProjectionText(choice.projection) : "",
                        .reason = choice.reason});
    }
  }
  return proofs;
}

}  // namespace

Design CheckDesign(const Model& model) {
  model::CheckResult result = model::Check(model.values());
  Design design;
  for (std::size_t i = 0; i < result.plans.size(); ++i) {
    design.patterns.push_back(ProofOf(result.plans[i], result.estimates[i]));
  }
  design.projections = ProjectionsOf(model.values(), result.plans);
  design.clean = result.clean();
  design.findings = std::move(result.findings);
  return design;
}

std::vector<DesignChart> DrawEntityCharts(const Model& model) {
  return model::EntityCharts(model.values(), model::ResolvePatterns(model.values()));
}

}  // namespace stator
