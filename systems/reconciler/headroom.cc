#include "systems/reconciler/headroom.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace stator::systems::reconciler {
namespace {

constexpr double kSecondsPerDay = 86'400;

}  // namespace

Headroom HeadroomOf(double bad_calls_per_day, const HeadroomOptions& options) {
  Headroom room;
  room.calls_per_second = bad_calls_per_day / kSecondsPerDay;
  room.write_units_per_second = room.calls_per_second * options.writes_per_call * options.peak;
  room.partition_calls_per_day =
      kPartitionWritesPerSecond * kSecondsPerDay / options.writes_per_call;
  room.times = room.write_units_per_second > 0
                   ? kPartitionWritesPerSecond / room.write_units_per_second
                   : std::numeric_limits<double>::infinity();
  room.shards = std::max<std::int64_t>(
      1, std::llround(std::ceil(room.write_units_per_second / (kPartitionWritesPerSecond / 2))));
  return room;
}

}  // namespace stator::systems::reconciler
