#include "model/cost/usage.h"

#include <algorithm>

namespace stator::model {
namespace {

bool ReadsStrongly(const Pattern& pattern) {
  return pattern.kind == PatternKind::kWrite
             ? pattern.write.read_first == WriteDetail::ReadFirst::kStrong
             : pattern.read.strong;
}

bool Moves(const Plan& plan, const Index* index) {
  const bool here = std::ranges::any_of(plan.effects, [&](const IndexEffect& effect) {
    return effect.index == index && effect.kind == IndexEffect::Kind::kMove;
  });
  return here ||
         std::ranges::any_of(plan.parts, [&](const Plan& part) { return Moves(part, index); });
}

// The part of the requests whose condition fails.
double FailingShare(const Plan& plan) {
  double share = plan.pattern->write.duplicate_share;
  for (const Plan& part : plan.parts) share = std::max(share, FailingShare(part));
  return share;
}

}  // namespace

double RunsPerSecond(const Pattern& pattern) {
  if (!pattern.rate) return 0;
  double runs = pattern.rate->per_second;
  if (pattern.read.cache && pattern.read.cache->count() > 0) {
    runs = std::min(runs, 1 / static_cast<double>(pattern.read.cache->count()));
  }
  return runs;
}

double ReadUnitsOf(const Estimate& estimate, double Amount::* pick, const Mistakes& mistakes) {
  const double units = estimate.read_units.*pick;
  const bool strong = ReadsStrongly(*estimate.plan->pattern);
  if (mistakes.all_strong && !strong) return units * 2;
  if (mistakes.all_eventual && strong) return units / 2;
  return units;
}

double WriteUnitsOf(const Estimate& estimate, double Amount::* pick, const Mistakes& mistakes) {
  double units = estimate.write_units.*pick;
  if (mistakes.no_failures) units *= 1 - FailingShare(*estimate.plan);
  if (mistakes.no_indexes) return units;
  for (const auto& [index, amount] : estimate.index_write_units) {
    const bool halve = mistakes.moves_once && Moves(*estimate.plan, index);
    units += amount.*pick / (halve ? 2 : 1);
  }
  return units;
}

double IndexWriteUnitsOf(const Estimate& estimate, const Index& index, double Amount::* pick) {
  for (const auto& [known, amount] : estimate.index_write_units) {
    if (known == &index) return amount.*pick;
  }
  return 0;
}

}  // namespace stator::model
