// The activities table as it was before memory questions: no chatId-activity-index, and items that have
// no activityTimestamp. For showing the migration.
#ifndef STATOR_SYSTEMS_HOMEOPS_PHASE_TWO_H_
#define STATOR_SYSTEMS_HOMEOPS_PHASE_TWO_H_

#include <string>
#include <vector>

#include "stator/endpoint.h"
#include "systems/homeops/message.h"

namespace stator::systems::homeops {

Result<void> CreatePhaseTwoTable(Endpoint& endpoint, const std::string& table_prefix = {});

// Stores a generated message as the activity that its writer had in mind, as the code of that time did.
Result<void> PutPhaseTwoActivity(Endpoint& endpoint, const Message& message,
                                 const std::string& table_prefix = {});

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_PHASE_TWO_H_
