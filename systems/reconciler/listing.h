// What stands in the index, for people: who was given up, who was emitted, who waits; and giving up
// taken back.
#ifndef STATOR_SYSTEMS_RECONCILER_LISTING_H_
#define STATOR_SYSTEMS_RECONCILER_LISTING_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "systems/reconciler/call_table.h"

namespace stator::systems::reconciler {

// Which calls of a status. Empty: all.
struct CallFilter {
  std::string tenant = {};
  std::string call = {};

  bool Takes(ItemView entry) const;
};

// Calls `take` with each entry of a status, the oldest first.
EntityResult<void> ForEachListed(CallTable& table, std::string_view status,
                                 const CallFilter& filter,
                                 const std::function<EntityResult<void>(const Item& entry)>& take);

// One line: "GIVEN_UP since 2026-02-28T08:00:00.000Z acme c1 … refused".
std::string ListingLine(ItemView entry);

// Puts calls that were given up back to where they waited, and their failed attempts at zero.
// Returns how many.
EntityResult<std::int64_t> RetryGivenUp(CallTable& table, const CallFilter& filter);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_LISTING_H_
