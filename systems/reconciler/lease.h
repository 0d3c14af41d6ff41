// The lease of a call: who has it may emit the call, and records what came of it.
//
// A lease is one conditional write, so that of any number of pollers one gets it. It ends with an
// outcome, with a new report of the call, or by its time; whoever takes over an expired one goes on
// at the place that the first poller wrote to.
#ifndef STATOR_SYSTEMS_RECONCILER_LEASE_H_
#define STATOR_SYSTEMS_RECONCILER_LEASE_H_

#include <chrono>
#include <optional>
#include <string>

#include "stator/entity.h"
#include "systems/reconciler/sink.h"

namespace stator::systems::reconciler {

struct LeaseTerms {
  std::string owner;  // for people who look at the table
  std::chrono::milliseconds time = std::chrono::seconds(60);
  std::string sink;
  int give_up_after = 10;  // attempts that failed
};

// `entry` is what the index says about a call. True if another poller works on it.
bool IsLeased(ItemView entry, TimeMs now);

// The call, leased; nullopt if another poller was faster, or it needs nothing any more.
EntityResult<std::optional<Item>> TakeLease(Entities& entities, ItemView entry,
                                            const LeaseTerms& terms);

enum class LeaseEnd : std::uint8_t {
  kEmitted,
  kResolved,
  kGivenUp,
  kReleased,   // for another try
  kOvertaken,  // the call or its lease changed meanwhile: nothing was recorded
};

// Records what came of it, under the condition that nobody changed the call since it was leased.
EntityResult<LeaseEnd> EndLease(Entities& entities, ItemView call, const Delivery& delivery,
                                const LeaseTerms& terms);

}  // namespace stator::systems::reconciler

#endif  // STATOR_SYSTEMS_RECONCILER_LEASE_H_
