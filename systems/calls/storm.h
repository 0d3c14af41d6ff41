// A storm: many writers change the same calls at the same time, each with the version it has read.
#ifndef STATOR_SYSTEMS_CALLS_STORM_H_
#define STATOR_SYSTEMS_CALLS_STORM_H_

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "systems/calls/call_book.h"

namespace stator::systems::calls {

struct StormOptions {
  int threads = 8;
  std::chrono::milliseconds duration = std::chrono::seconds(2);
  int calls = 24;  // storm-1 …; those that exist already take part as they are
  int users = 4;
  std::uint64_t seed = 1;
};

struct StormReport {
  std::int64_t reschedules = 0;
  std::int64_t reassignments = 0;
  std::int64_t provider_changes = 0;
  std::int64_t conflicts = 0;   // writers that were told that another one came first
  std::int64_t duplicates = 0;  // attempts to schedule an id that is taken, all refused
  std::int64_t not_found = 0;   // lookups of a call that was just moving to another key
  // What must not happen: a write that failed for another reason, a duplicate that was accepted, a
  // call whose version does not count the changes that were acknowledged.
  std::vector<std::string> problems;

  std::int64_t changes() const { return reschedules + reassignments + provider_changes; }
};

// Fails only if the calls cannot be scheduled.
EntityResult<StormReport> RunStorm(CallBook& book, TimeMs now, const StormOptions& options);

}  // namespace stator::systems::calls

#endif  // STATOR_SYSTEMS_CALLS_STORM_H_
