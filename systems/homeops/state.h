// Everything that is stored, as text: two runs that ended alike give the same.
#ifndef STATOR_SYSTEMS_HOMEOPS_STATE_H_
#define STATOR_SYSTEMS_HOMEOPS_STATE_H_

#include <string>
#include <vector>

#include "stator/endpoint.h"
#include "stator/result.h"

namespace stator::systems::homeops {

// A line for each item, {"table":…,"item":{…}}; sorted.
Result<std::vector<std::string>> StateLines(Endpoint& endpoint, const std::string& table_prefix);

}  // namespace stator::systems::homeops

#endif  // STATOR_SYSTEMS_HOMEOPS_STATE_H_
