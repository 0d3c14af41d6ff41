#include "proof/range_load.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace stator::proof {

using model::EntityRange;
using model::Plan;

namespace {

// Rounds to whole items, the same number in each shard.
std::vector<EntityRange> Rounded(const Plan& plan, std::vector<EntityRange> ranges,
                                 double (*round)(double)) {
  const double shards = model::ShardsOf(plan);
  for (EntityRange& range : ranges) {
    const double items = round(range.items.typical / shards) * shards;
    const double matches = std::round(items * range.passing / shards) * shards;
    range.items = {items, items};
    range.passing = items > 0 ? matches / items : range.passing;
  }
  return ranges;
}

}  // namespace

double TotalOf(const std::vector<EntityRange>& ranges) {
  double total = 0;
  for (const EntityRange& range : ranges) total += range.items.typical;
  return total;
}

double ScaleDown(double max_items, std::vector<EntityRange>& ranges) {
  const double total = TotalOf(ranges);
  const double scale = total > max_items ? max_items / total : 1;
  for (EntityRange& range : ranges) range.items.typical *= scale;
  return scale;
}

std::vector<Load> LoadsOf(const Plan& plan, const std::vector<EntityRange>& ranges) {
  constexpr double kMany = 1000;
  const double total = TotalOf(ranges);
  Load few{.ranges = Rounded(plan, ranges, std::floor)};
  Load more{.ranges = Rounded(plan, ranges, std::ceil)};
  const double least = TotalOf(few.ranges);
  const double most = TotalOf(more.ranges);
  if (total > kMany || most - least < 1) return {{.ranges = Rounded(plan, ranges, std::round)}};
  more.weight = (total - least) / (most - least);
  few.weight = 1 - more.weight;
  return {std::move(few), std::move(more)};
}

}  // namespace stator::proof
