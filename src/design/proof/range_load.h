// How many items a read is run on: whole ones, where the model speaks of one and a half.
#ifndef STATOR_PROOF_RANGE_LOAD_H_
#define STATOR_PROOF_RANGE_LOAD_H_

#include <vector>

#include "model/estimate/estimate_read.h"

namespace stator::proof {

// All entities together.
double TotalOf(const std::vector<model::EntityRange>& ranges);

// Reduces the ranges to at most `max_items`, and returns the part that this is.
double ScaleDown(double max_items, std::vector<model::EntityRange>& ranges);

// Items to load, and how often that is the case.
struct Load {
  std::vector<model::EntityRange> ranges;
  double weight = 1;
};

// Whole items, the same number in each shard. One and a half are there on average: sometimes fewer
// and sometimes more. Of many items the fraction does not matter.
std::vector<Load> LoadsOf(const model::Plan& plan, const std::vector<model::EntityRange>& ranges);

}  // namespace stator::proof

#endif  // STATOR_PROOF_RANGE_LOAD_H_
