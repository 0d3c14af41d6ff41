// Whether a month of the application takes as many units as `stator cost` says.
//
// The month is played from the application's side: each transaction and each read or write outside
// of one is made at its rate, caches answer what they hold, and every request is one that the engine
// has run and metered. The cost is computed from the other side, from estimates and charges.
#ifndef STATOR_PROOF_MONTH_H_
#define STATOR_PROOF_MONTH_H_

#include <string>
#include <vector>

#include "proof/proof.h"

namespace stator::proof {

// The most by which a month may differ, as a part of it.
inline constexpr double kMonthTolerance = 0.01;

struct MonthPlace {
  std::string name;  // "jobs", "jobs.StatusIndex"
  Units priced;      // what the cost says
  Units metered;     // what the engine counts
  bool ok() const;
};

struct Month {
  double calls = 0;                   // that the application makes
  std::vector<MonthPlace> places;     // tables and indexes in the order of the model
  std::vector<std::string> left_out;  // patterns that could not be run
  MonthPlace total;
  bool ok() const;
};

// `proofs` are those of the model's patterns, in order.
Month ProveMonth(const model::Model& model, const std::vector<Proof>& proofs, double max_items);

}  // namespace stator::proof

#endif  // STATOR_PROOF_MONTH_H_
