// Another number of shards for a table whose programs go on running.
//
// 1. The settings item names the new number and, as `Former`, those that entries may still stand
//    under. Every program reads it again within CallTableOptions::settings_age_max: from then on it
//    writes by the new number and reads by all.
// 2. Entries are moved, one conditional write each: only if the entry is still where it was seen. A
//    write of a poller or an ingest at the same moment wins, and puts the entry where it belongs.
// 3. After `grace`, when nobody can still write by the old settings, what such writers left is moved,
//    and `Former` is removed.
//
// Killed at any moment, it leaves a table in which everything is found; the next run goes on.
#ifndef STATOR_SYSTEMS_RECONCILER_RESHARD_H_
#define STATOR_SYSTEMS_RECONCILER_RESHARD_H_

#include <chrono>
#include <cstdint>
#include <functional>

#include "systems/reconciler/call_table.h"

namespace stator::systems::reconciler {

struct ReshardOptions {
  std::int64_t shards = 1;
  // Longer than the age that settings may have and the time that a write takes.
  std::chrono::milliseconds grace = std::chrono::seconds(60);
  int threads = 8;
  std::function<void(std::chrono::milliseconds)> wait = {};  // default: sleeps
  std::function<void(std::int64_t moved)> progress = {};
};

struct ReshardSummary {
  std::int64_t before = 1;  // shards
  std::int64_t moved = 0;   // entries
};

// kConflict if another reshard to another number is under way.
EntityResult<ReshardSummary> Reshard(CallTable& table, const ReshardOptions& options);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_RESHARD_H_
