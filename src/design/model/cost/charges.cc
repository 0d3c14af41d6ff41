#include "model/cost/charges.h"

#include <algorithm>
#include <utility>

#include "model/estimate/estimate_read.h"
#include "model/estimate/population.h"
#include "model/names.h"

namespace stator::model {
namespace {

bool IsTransaction(const Pattern& pattern) { return pattern.kind == PatternKind::kTransaction; }

// The transactions that a pattern is part of.
struct Memberships {
  std::vector<const Pattern*> rated;
  bool any = false;
};

Memberships MembershipsOf(const Model& model, const Pattern& pattern) {
  Memberships found;
  for (const Pattern& other : model.patterns) {
    if (!IsTransaction(other) || !Contains(other.parts, pattern.name)) continue;
    found.any = true;
    if (other.rate) found.rated.push_back(&other);
  }
  return found;
}

Charge ChargeOf(const Pattern& pattern, Estimate estimate, double rate, double peak_rate) {
  return {.pattern = &pattern,
          .estimate = std::move(estimate),
          .runs_per_second = rate,
          .peak_runs_per_second = peak_rate};
}

void ChargeTransaction(const Model& model, PatternCharges& charges) {
  const Pattern& transaction = *charges.pattern;
  if (!transaction.rate) {
    for (const std::string& name : transaction.parts) {
      if (const Pattern* member = model.FindPattern(name)) charges.counted_with.push_back(member);
    }
    return;
  }
  const double rate = transaction.rate->per_second;
  charges.calls_per_second = rate;
  for (const Estimate& part : charges.estimate.parts) {
    charges.charges.push_back(ChargeOf(transaction, part, rate, rate * model.assume.peak));
  }
}

// What is left of a rate behind the pattern's cache.
double Sent(const Pattern& pattern, double rate, double keys) {
  if (!pattern.read.cache) return rate;
  return rate * (1 - CacheHitShare(rate, keys, *pattern.read.cache));
}

void ChargeAlone(const Model& model, const Estimate& estimate, PatternCharges& charges) {
  const Pattern& pattern = *charges.pattern;
  if (!pattern.rate) return;
  const double rate = pattern.rate->per_second;
  const double peak_rate = rate * model.assume.peak;
  charges.calls_per_second = rate;
  const double keys = pattern.read.cache ? CachedKeys(model, *estimate.plan).value_or(1) : 1;
  const double sent = Sent(pattern, rate, keys);
  if (pattern.read.cache && rate > 0) {
    charges.cache_hits = 1 - sent / rate;
    charges.cached_keys = keys;
  }
  charges.charges.push_back(
      ChargeOf(pattern, charges.estimate, sent, Sent(pattern, peak_rate, keys)));
}

}  // namespace

double CacheHitShare(double per_second, double keys, seconds time) {
  const double found = per_second / std::max(1.0, keys) * static_cast<double>(time.count());
  return found > 0 ? found / (1 + found) : 0;
}

std::optional<double> CachedKeys(const Model& model, const Plan& plan) {
  if (!plan.resolved() || plan.table == nullptr) return std::nullopt;
  const bool by_key =
      plan.operation == Operation::kGetItem || plan.operation == Operation::kBatchGetItem;
  if (by_key) {
    const std::optional<Amount> total =
        plan.entity == nullptr ? std::nullopt : TotalItems(*plan.entity);
    return total ? std::optional(total->typical) : std::nullopt;
  }
  // As many as there are ranges of that size.
  double keys = 0;
  for (const std::string& value : ForeachValues(plan)) {
    for (const EntityRange& range : FindRanges(model, plan, value).ranges) {
      const std::optional<Amount> total = TotalItems(*range.entity);
      if (!total || range.items.typical <= 0) continue;
      const double ranges = total->typical / range.items.typical;
      keys = keys > 0 ? std::min(keys, ranges) : ranges;
    }
    break;  // the values are asked for together
  }
  return keys > 0 ? std::optional(std::max(1.0, keys)) : std::nullopt;
}

std::vector<PatternCharges> ChargesOf(const Model& model, const std::vector<Estimate>& estimates) {
  std::vector<PatternCharges> all;
  all.reserve(estimates.size());
  for (const Estimate& estimate : estimates) {
    PatternCharges& charges = all.emplace_back();
    charges.pattern = estimate.plan->pattern;
    charges.estimate = estimate;
    if (IsTransaction(*charges.pattern)) {
      ChargeTransaction(model, charges);
      continue;
    }
    Memberships memberships = MembershipsOf(model, *charges.pattern);
    if (memberships.any) charges.estimate = InTransaction(estimate);
    charges.counted_in = std::move(memberships.rated);
    if (charges.counted_in.empty()) ChargeAlone(model, estimate, charges);
  }
  return all;
}

}  // namespace stator::model
