// How far the index is from a hot partition, and how many shards that would take.
#ifndef STATOR_SYSTEMS_RECONCILER_HEADROOM_H_
#define STATOR_SYSTEMS_RECONCILER_HEADROOM_H_

#include <cstdint>

namespace stator::systems::reconciler {

// What DynamoDB lets one partition take.
inline constexpr double kPartitionWritesPerSecond = 1000;

struct Headroom {
  double calls_per_second = 0;
  double write_units_per_second = 0;   // of the index, at the peak
  double partition_calls_per_day = 0;  // what one partition takes
  double times = 0;                    // the load that one partition takes ÷ this load
  std::int64_t shards = 1;             // that keep each partition at half of its limit at most
};

struct HeadroomOptions {
  // An entry of at most 1 KB is put, leased and deleted: a write unit each.
  double writes_per_call = 3;
  double peak = 1;  // ÷ mean
};

// For so many calls a day that need reconciliation.
Headroom HeadroomOf(double bad_calls_per_day, const HeadroomOptions& options = {});

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_HEADROOM_H_
