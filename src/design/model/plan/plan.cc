#include "model/plan/plan.h"

#include <algorithm>
#include <utility>

#include "model/plan/plan_parts.h"

namespace stator::model {
namespace {

// DynamoDB's own bound on the actions of a transaction; rule WR13 reports more.
constexpr std::size_t kMaxParts = 1000;

bool Reads(const Plan& part) { return part.pattern->kind == PatternKind::kGet; }

void ResolveTransaction(const Model& model, Plan& plan) {
  for (const std::string& name : plan.pattern->parts) {
    const Pattern* part = model.FindPattern(name);
    if (part == nullptr || part->kind == PatternKind::kTransaction) {
      plan.obstacle = name + " is not a read or write that a transaction can hold";
      return;
    }
    if (plan.parts.size() == kMaxParts) break;
    plan.parts.push_back(ResolvePattern(model, *part));
    const Plan& resolved = plan.parts.back();
    const bool reads_many =
        resolved.operation == Operation::kQuery || resolved.operation == Operation::kScan;
    if (!resolved.resolved()) {
      plan.obstacle = name + ": " + resolved.obstacle;
    } else if (reads_many) {
      plan.obstacle = name + " is a " + std::string(OperationName(resolved.operation)) +
                      ", and a transaction holds reads and writes of whole keys only";
    } else if (Reads(resolved) != Reads(plan.parts.front())) {
      plan.obstacle = plan.parts.front().pattern->name + " and " + name +
                      " do not go together: a transaction either reads or writes";
    }
    if (!plan.obstacle.empty()) return;
    if (plan.table == nullptr) plan.table = resolved.table;
  }
  if (plan.parts.empty()) {
    plan.obstacle = "the transaction holds nothing";
    return;
  }
  plan.operation =
      Reads(plan.parts.front()) ? Operation::kTransactGetItems : Operation::kTransactWriteItems;
  plan.satisfied_by_primary_key = true;
}

}  // namespace

Plan ResolvePattern(const Model& model, const Pattern& pattern) {
  Plan plan;
  plan.pattern = &pattern;
  switch (pattern.kind) {
    case PatternKind::kGet:
      ResolveGet(model, plan);
      break;
    case PatternKind::kQuery:
      ResolveQuery(model, plan);
      break;
    case PatternKind::kScan:
      ResolveScan(model, plan);
      break;
    case PatternKind::kWrite:
      ResolveWrite(model, plan);
      break;
    case PatternKind::kTransaction:
      ResolveTransaction(model, plan);
      break;
  }
  return plan;
}

std::vector<Plan> ResolvePatterns(const Model& model) {
  std::vector<Plan> plans;
  plans.reserve(model.patterns.size());
  for (const Pattern& pattern : model.patterns) plans.push_back(ResolvePattern(model, pattern));
  return plans;
}

}  // namespace stator::model
