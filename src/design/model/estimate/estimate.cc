#include "model/estimate/estimate.h"

#include "model/estimate/estimate_parts.h"

namespace stator::model {
namespace {

// Reads inside a transaction are billed twice, and strongly consistent.
constexpr double kTransactionFactor = 2;

Estimate EstimatePlan(const Model& model, const Plan& plan);

void AddIndexes(const Estimate& part, Estimate& whole) {
  for (const auto& [index, amount] : part.index_write_units) {
    bool found = false;
    for (auto& [known, sum] : whole.index_write_units) {
      if (known != index) continue;
      sum.typical += amount.typical;
      sum.max += amount.max;
      found = true;
    }
    if (!found) whole.index_write_units.emplace_back(index, amount);
  }
}

void AddPart(const Estimate& part, Estimate& whole) {
  const double write_factor = kTransactionFactor / part.transaction_factor;
  const bool strong = part.plan->pattern->read.strong;
  const double read_factor = kTransactionFactor * (strong ? 1 : 2);
  for (const Pick pick : {&Amount::typical, &Amount::max}) {
    whole.items_read.*pick += part.items_read.*pick;
    whole.items_returned.*pick += part.items_returned.*pick;
    whole.bytes_read.*pick += part.bytes_read.*pick;
    whole.write_units.*pick += part.write_units.*pick * write_factor;
    whole.read_units.*pick +=
        part.read_units.*pick * (part.plan->pattern->kind == PatternKind::kGet ? read_factor : 1);
  }
  AddIndexes(part, whole);
  if (!part.known) {
    whole.known = false;
    whole.missing = part.missing;
  }
}

Estimate EstimateTransaction(const Model& model, const Plan& plan) {
  Estimate whole;
  whole.plan = &plan;
  whole.transaction_factor = kTransactionFactor;
  whole.pages = {1, 1};
  for (const Plan& part : plan.parts) AddPart(EstimatePlan(model, part), whole);
  return whole;
}

Estimate EstimatePlan(const Model& model, const Plan& plan) {
  if (plan.pattern->kind == PatternKind::kTransaction && !plan.parts.empty()) {
    return EstimateTransaction(model, plan);
  }
  Estimate estimate;
  estimate.plan = &plan;
  if (!plan.resolved()) {
    estimate.known = false;
    estimate.missing = plan.obstacle.empty() ? "the pattern resolves to nothing" : plan.obstacle;
    return estimate;
  }
  if (plan.pattern->kind == PatternKind::kWrite) {
    EstimateWrite(model, plan, estimate);
  } else {
    EstimateRead(model, plan, estimate);
  }
  return estimate;
}

}  // namespace

double Estimate::TotalWriteUnits() const {
  double units = write_units.typical;
  for (const auto& [index, amount] : index_write_units) units += amount.typical;
  return units;
}

std::vector<Estimate> EstimatePlans(const Model& model, const std::vector<Plan>& plans) {
  std::vector<Estimate> estimates;
  estimates.reserve(plans.size());
  for (const Plan& plan : plans) estimates.push_back(EstimatePlan(model, plan));
  return estimates;
}

}  // namespace stator::model
