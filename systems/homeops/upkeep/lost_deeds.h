// Deeds that were decided and never saved: a message says what was done, but its activity is not
// there, so no question finds it. A bot that could not save it has only logged that.
#ifndef STATOR_SYSTEMS_HOMEOPS_UPKEEP_LOST_DEEDS_H_
#define STATOR_SYSTEMS_HOMEOPS_UPKEEP_LOST_DEEDS_H_

#include "stator/endpoint.h"
#include "systems/homeops/upkeep/migration.h"

namespace stator::systems::homeops {

// Reads the table homeops-messages. Unless it only looks, it replays what was decided: the activity
// is saved under the id that follows from the message, and what was not counted yet is counted, so
// that a message that another worker replays too counts once. What was undone stays undone. Tables
// without messages have nothing lost.
Result<MendReport> MendLostDeeds(Endpoint& endpoint, const MendOptions& options);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_UPKEEP_LOST_DEEDS_H_
