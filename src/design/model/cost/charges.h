// What is billed over time: which requests are sent how often, each counted once.
//
// A pattern that is part of a transaction is not sent by itself. If the transaction has a rate, its
// members are billed with it, whatever rates of their own they state; if it has none, each member
// is billed with its own rate, at the price of a transaction. A read behind a cache is sent when
// the cache does not have the answer.
#ifndef STATOR_MODEL_COST_CHARGES_H_
#define STATOR_MODEL_COST_CHARGES_H_

#include <optional>
#include <vector>

#include "model/estimate/estimate.h"

namespace stator::model {

// The share of the reads that a cache answers.
//
// Reads come independently of each other, `per_second` in all, for one of `keys` things at random.
// A thing is loaded by the first read of it and again by the first one after its time is over, so
// that on average one load is followed by rate × time reads that find it.
double CacheHitShare(double per_second, double keys, seconds time);

// How many different things a cached read asks for; absent: the model does not say, and they are
// taken to be one.
std::optional<double> CachedKeys(const Model& model, const Plan& plan);

// Requests that are sent at a rate: of a pattern, or of one member of a transaction.
struct Charge {
  const Pattern* pattern = nullptr;  // the pattern or the transaction that is billed
  Estimate estimate;                 // of the request, as it is billed
  double runs_per_second = 0;
  double peak_runs_per_second = 0;
};

// How a pattern is counted.
struct PatternCharges {
  const Pattern* pattern = nullptr;
  Estimate estimate;                 // of a run, as it is billed
  double calls_per_second = 0;       // of the application; those that a cache answers included
  std::optional<double> cache_hits;  // the share that its cache answers
  double cached_keys = 1;            // different things that it is asked for
  std::vector<const Pattern*> counted_in;    // transactions with a rate that it is part of
  std::vector<const Pattern*> counted_with;  // of a transaction without a rate: its members
  std::vector<Charge> charges;               // empty: it is never sent by itself
};

// One for each estimate, in order.
std::vector<PatternCharges> ChargesOf(const Model& model, const std::vector<Estimate>& estimates);

}  // namespace stator::model

#endif  // STATOR_MODEL_COST_CHARGES_H_
