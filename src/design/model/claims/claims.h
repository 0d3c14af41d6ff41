// Claims against the model: what was said, what is true, and what was overlooked.
#ifndef STATOR_MODEL_CLAIMS_CLAIMS_H_
#define STATOR_MODEL_CLAIMS_CLAIMS_H_

#include <string>
#include <string_view>
#include <vector>

#include "model/cost/price_list.h"
#include "model/estimate/estimate.h"

namespace stator::model {

struct ClaimResult {
  const Claim* claim = nullptr;
  bool holds = false;
  std::string problem;     // the expression cannot be evaluated, and why; the rest is empty then
  double truth = 0;        // what the model gives
  double said = 0;         // what it is compared with
  std::string_view rule;   // of a false claim: "CO01" …; "CO07" if no known mistake explains it
  std::string why;         // of a false claim
  std::string difference;  // "4.2 times too low"
};

std::vector<ClaimResult> EvaluateClaims(const Model& model, const std::vector<Estimate>& estimates,
                                        const PriceList& list, const Prices& prices);

// With the prices that the model names; if there are none such, with the newest list and its first
// region.
std::vector<ClaimResult> EvaluateClaims(const Model& model, const std::vector<Estimate>& estimates);

}  // namespace stator::model

#endif  // STATOR_MODEL_CLAIMS_CLAIMS_H_
