// Units of reads: what lies in the range that is read, page by page.
#ifndef STATOR_MODEL_ESTIMATE_ESTIMATE_READ_H_
#define STATOR_MODEL_ESTIMATE_ESTIMATE_READ_H_

#include <string>
#include <vector>

#include "model/estimate/estimate.h"

namespace stator::model {

// Items of one entity in the range of one request, over all shards.
struct EntityRange {
  const Entity* entity = nullptr;
  Amount items;
  double passing = 1;  // the part that the filter lets through
};

struct EntityRanges {
  std::vector<EntityRange> ranges;
  std::string missing;  // what the model does not say; empty: all is known
};

struct RangeTotals {
  Amount items;
  Amount bytes;
  Amount matches;
};

// `foreach_value` is the value of the pattern's `foreach` attribute, if it has one.
EntityRanges FindRanges(const Model& model, const Plan& plan, const std::string& foreach_value);
RangeTotals AddUp(const Model& model, const Plan& plan, const std::vector<EntityRange>& ranges);

// One for each request that `foreach` makes; one empty text if there is none.
std::vector<std::string> ForeachValues(const Plan& plan);

// REQUIRES: the plan is of a read. Fills the rest of the estimate.
void EstimateRead(const Model& model, const Plan& plan, Estimate& estimate);

// Estimates a Query or Scan over ranges that are given: one list for each value of `foreach`.
Estimate EstimateRanges(const Model& model, const Plan& plan,
                        const std::vector<std::vector<EntityRange>>& requests);

}  // namespace stator::model

#endif  // STATOR_MODEL_ESTIMATE_ESTIMATE_READ_H_
